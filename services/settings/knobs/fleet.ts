/** The knobs of a hop of several instances, and of a retry budget that all of them share. */
import type { Knob } from "./knob.ts";
import { storeProblems } from "../text-forms.ts";

const PER_HOP: readonly Knob[] = [
  {
    name: "INSTANCES",
    kind: "number",
    default: "1",
    min: 1,
    max: 16,
    unit: "processes",
    whole: true,
    doc: "Local processes (WORLD=process) that each hop but the first consists of; API_INSTANCES=4 makes four apis.",
  },
  {
    name: "BUDGET_SCOPE",
    kind: "choice",
    default: "instance",
    choices: ["instance", "fleet"],
    doc: "Whether each instance of a hop has a budget of its own, or all share one (a bucket) in a Redis store.",
  },
  {
    name: "BUDGET_LEASE",
    kind: "number",
    default: "2",
    min: 1,
    max: 1000,
    unit: "retries",
    whole: true,
    doc: "With BUDGET_SCOPE=fleet: the most retries that an instance holds ready, taken from the shared budget beforehand.",
  },
  {
    name: "BUDGET_FLOOR_PER_S",
    kind: "number",
    default: "0.5",
    min: 0,
    max: 1000,
    unit: "retries per second",
    doc: "With BUDGET_SCOPE=fleet: what an instance may still do while the store does not answer.",
  },
].map((knob) => ({ ...knob, perHop: true }) as Knob);

const STORE: readonly Knob[] = [
  {
    name: "BUDGET_STORE_URL",
    kind: "text",
    default: "",
    form: "an address like redis://127.0.0.1:6379 without user and password, or empty",
    problems: storeProblems,
    doc: "The Redis of BUDGET_SCOPE=fleet; empty starts a redis-server for the run (WORLD=process).",
  },
  {
    name: "BUDGET_STORE_TIMEOUT_MS",
    kind: "number",
    default: "50",
    min: 1,
    max: 60_000,
    unit: "ms",
    doc: "With BUDGET_SCOPE=fleet: how long the store may take to answer. No request waits for it.",
  },
];

export const FLEET_KNOBS: readonly Knob[] = [...PER_HOP, ...STORE];
