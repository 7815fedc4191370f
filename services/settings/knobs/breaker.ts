/** The knobs of a hop's circuit breaker. Each may be set for one hop alone. */
import { BREAKER_RULES } from "../../policy/breaker/rule.ts";
import { atEachHop } from "./knob.ts";

export const BREAKER_KNOBS = atEachHop([
  {
    name: "BREAKER",
    kind: "choice",
    default: "none",
    choices: ["none", ...BREAKER_RULES],
    doc: "When a hop stops calling the tier below: never, after failures in a row, or by the share that fails.",
  },
  {
    name: "BREAKER_FAILURES",
    kind: "number",
    default: "5",
    range: { min: 1, max: 100_000, unit: "failures", whole: true },
    doc: "With BREAKER=consecutive: failures in a row that open it.",
    needs: [{ knob: "BREAKER", is: ["consecutive"], what: "consecutive" }],
  },
  {
    name: "BREAKER_SHARE",
    kind: "number",
    default: "0.5",
    range: { min: 0.001, max: 1, unit: "of the calls" },
    doc: "With BREAKER=rate: the share of failed calls that opens it.",
    needs: [{ knob: "BREAKER", is: ["rate"], what: "rate" }],
  },
  {
    name: "BREAKER_MIN_CALLS",
    kind: "number",
    default: "20",
    range: { min: 1, max: 100_000, unit: "calls", whole: true },
    doc: "With BREAKER=rate: calls in the window below which nothing is judged.",
    needs: [{ knob: "BREAKER", is: ["rate"], what: "rate" }],
  },
  {
    name: "BREAKER_WINDOW_S",
    kind: "number",
    default: "10",
    range: { min: 0.1, max: 3600, unit: "seconds" },
    doc: "With BREAKER=rate: the length of the window.",
    needs: [{ knob: "BREAKER", is: ["rate"], what: "rate" }],
  },
  {
    name: "BREAKER_COOL_OFF_MS",
    field: "coolOffMs",
    kind: "number",
    default: "1000",
    range: { min: 1, max: 3_600_000, unit: "ms" },
    doc: "The least time that an open breaker stays open.",
    needs: [{ knob: "BREAKER", isNot: ["none"], what: "a breaker" }],
  },
  {
    name: "BREAKER_PROBES",
    field: "probes",
    kind: "number",
    default: "3",
    range: { min: 1, max: 1000, unit: "calls", whole: true },
    doc: "Calls that a half-open breaker lets through, all of which must succeed.",
    needs: [{ knob: "BREAKER", isNot: ["none"], what: "a breaker" }],
  },
]);
