/** The knobs of a hop's retry budget. Each may be set for one hop alone. */
import { BUDGET_KINDS } from "../../policy/budget/budget.ts";
import { atEachHop, type Clash, type InForce } from "./knob.ts";

/** Kinds that have a floor of so many retries a second. */
const BUCKETS = ["token-bucket", "success", "failures"];
const FLOORED = ["token-bucket", "success", "window", "decayed"];
const CONCURRENT = ["concurrent", "concurrent-window"];
const WINDOWS = ["window", "decayed", "concurrent-window"];

function windowTooShort(at: InForce): Clash[] {
  const perS = at.number("BUDGET_MIN_PER_S");
  const isWindow = ["window", "decayed"].includes(at.text("BUDGET"));
  if (!isWindow || perS === 0 || perS * at.number("BUDGET_WINDOW_S") >= 1) return [];
  const why = "together they are less than one retry in a window, which could never be spent";
  return [{ with: ["BUDGET_WINDOW_S"], why }];
}

/** A shared bucket knows one price. */
function notShared(at: InForce, isSet: boolean): Clash[] {
  if (!isSet || at.text("BUDGET") !== "success" || at.text("BUDGET_SCOPE") !== "fleet") return [];
  return [{ with: ["BUDGET_SCOPE"], why: "a budget that instances share has one price for every retry" }];
}

export const BUDGET_KNOBS = atEachHop([
  {
    name: "BUDGET",
    field: "kind",
    kind: "choice",
    default: "none",
    choices: BUDGET_KINDS,
    doc: "What bounds all retries of a hop together.",
  },
  {
    name: "BUDGET_RATIO",
    field: "ratio",
    kind: "number",
    default: "0.2",
    range: { min: 0, max: 1000, unit: "retries per request" },
    doc: "Retries that each request earns (success: tokens that each success earns; concurrent: share of the attempts in flight).",
    needs: [{ knob: "BUDGET", isNot: ["none"], what: "a budget" }],
  },
  {
    name: "BUDGET_BURST",
    field: "burst",
    kind: "number",
    default: "10",
    range: { min: 0, max: 1_000_000, unit: "retries" },
    doc: "The most that a bucket (token-bucket, success, failures) saves up.",
    needs: [{ knob: "BUDGET", is: BUCKETS, what: "token-bucket, success or failures" }],
  },
  {
    name: "BUDGET_START",
    field: "start",
    kind: "number",
    default: "0",
    range: { min: 0, max: 1_000_000, unit: "retries" },
    doc: "What a bucket (token-bucket, success, failures) holds at the start.",
    needs: [{ knob: "BUDGET", is: BUCKETS, what: "token-bucket, success or failures" }],
    atMost: [{ knob: "BUDGET_BURST", why: "a bucket cannot hold more than its burst" }],
  },
  {
    name: "BUDGET_MIN_PER_S",
    field: "minPerSecond",
    kind: "number",
    default: "0",
    range: { min: 0, max: 1_000_000, unit: "retries per second" },
    doc: "Retries that are always affordable, so that a quiet service may retry too.",
    needs: [{ knob: "BUDGET", is: FLOORED, what: "token-bucket, success, window or decayed" }],
    clashes: windowTooShort,
  },
  {
    name: "BUDGET_COST",
    field: "cost",
    kind: "number",
    default: "1",
    range: { min: 0.001, max: 1000, unit: "tokens" },
    doc: "With BUDGET=success: what one retry costs.",
    needs: [{ knob: "BUDGET", is: ["success"], what: "success" }],
  },
  {
    name: "BUDGET_COST_429",
    field: "cost429",
    kind: "number",
    default: "auto",
    range: { min: 0.001, max: 1000, unit: "tokens", word: "auto" },
    doc: "With BUDGET=success: what a retry after 429 costs, where it differs from BUDGET_COST.",
    needs: [{ knob: "BUDGET", is: ["success"], what: "success" }],
    clashes: (at: InForce) => notShared(at, at.text("BUDGET_COST_429") !== "auto"),
  },
  {
    name: "BUDGET_REFUND",
    field: "refund",
    kind: "flag",
    default: "0",
    doc: "With BUDGET=success: whether a request that succeeds at a retry gets the price of that retry back.",
    needs: [{ knob: "BUDGET", is: ["success"], what: "success", harmless: "0" }],
    clashes: (at: InForce) => notShared(at, at.text("BUDGET_REFUND") === "1"),
  },
  {
    name: "BUDGET_PAID_BY",
    field: "paidBy",
    kind: "choice",
    default: "request",
    choices: ["request", "success"],
    doc: "With BUDGET=window or decayed: whether each request pays in, or each success.",
    needs: [{ knob: "BUDGET", is: ["window", "decayed"], what: "window or decayed" }],
  },
  {
    name: "BUDGET_WINDOW_S",
    field: "windowMs",
    kind: "number",
    default: "10",
    range: { min: 0.1, max: 3600, unit: "seconds", times: 1000 },
    doc: "With BUDGET=window or concurrent-window: its length. With BUDGET=decayed: the mean age of what counts.",
    needs: [{ knob: "BUDGET", is: WINDOWS, what: "window, decayed or concurrent-window" }],
  },
  {
    name: "BUDGET_MIN_CONCURRENT",
    field: "minConcurrent",
    kind: "number",
    default: "3",
    range: { min: 0, max: 100_000, unit: "retries", whole: true },
    doc: "With BUDGET=concurrent or concurrent-window: retries that may be under way whatever the ratio says.",
    needs: [{ knob: "BUDGET", is: CONCURRENT, what: "concurrent or concurrent-window" }],
  },
]);
