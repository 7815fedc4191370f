/** The knobs of second copies (hedged and tied requests) at the hop that calls the backend. */
import { HEDGE_KINDS } from "../../policy/hedge/hedge.ts";
import { atEachHop, type Clash, type InForce } from "./knob.ts";

function nowhereToGo({ number, text, hop, isOwn, tiers }: InForce): Clash[] {
  if (text("HEDGE") === "off") return [];
  if (number("REPLICAS") === 1) return [{ with: ["REPLICAS"], why: "a second copy needs another replica to go to" }];
  const last = tiers.at(-1);
  if (hop === last || !isOwn) return [];
  const why = `only ${last}, which calls the backend, can send a second copy to another replica`;
  return [{ with: ["TIERS"], why }];
}

export const HEDGE_KNOBS = atEachHop([
  {
    name: "HEDGE",
    kind: "choice",
    default: "off",
    choices: HEDGE_KINDS,
    doc: "When a read gets a second copy at another replica: after a delay, when slower than most, or at once (tied: one of the two is served).",
    clashes: nowhereToGo,
  },
  {
    name: "HEDGE_DELAY_MS",
    kind: "number",
    default: "10",
    range: { min: 0, max: 600_000, unit: "ms" },
    doc: "With HEDGE=delay: how long to wait for the first copy.",
    needs: [{ knob: "HEDGE", is: ["delay"], what: "delay" }],
  },
  {
    name: "HEDGE_QUANTILE",
    kind: "number",
    default: "0.95",
    range: { min: 0.5, max: 0.999, unit: "of the recent attempts" },
    doc: "With HEDGE=quantile: the share of attempts that are answered before a second copy is due.",
    needs: [{ knob: "HEDGE", is: ["quantile"], what: "quantile" }],
  },
  {
    name: "HEDGE_RATIO",
    kind: "number",
    default: "0.05",
    range: { min: 0, max: 1, unit: "second copies per request" },
    doc: "Second copies that each request earns; tied requests need 1 for each to have one.",
    needs: [{ knob: "HEDGE", isNot: ["off"], what: "second copies" }],
  },
]);
