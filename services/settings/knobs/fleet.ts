/** The knobs of a hop of several instances, and of a retry budget that all of them share. */
import { atEachHop, type Clash, type InForce, type Knob } from "./knob.ts";
import { storeProblems } from "../addresses.ts";

/** The load calls one address, so the first hop is one instance, whatever holds for all. */
function instancesClashes({ number, text, hop, isOwn, tiers }: InForce): Clash[] {
  const instances = number("INSTANCES");
  const isFirst = hop === tiers[0];
  if (instances === 1 || (isFirst && !isOwn)) return [];
  const below = `${(tiers[1] ?? "api").toUpperCase()}_INSTANCES=${instances}`;
  const oneAddress = `the load calls one ${hop}. Set it for a hop below, such as ${below}`;
  const isProcesses = !["compose", "virtual"].includes(text("WORLD"));
  return [
    ...(isFirst ? [{ with: ["TIERS"], why: oneAddress }] : []),
    ...(isProcesses ? [] : [{ with: ["WORLD"], why: "only local processes can be several. Use WORLD=process" }]),
  ];
}

function sharedBudgetClashes({ text }: InForce): Clash[] {
  const [budget, world] = [text("BUDGET"), text("WORLD")];
  if (text("BUDGET_SCOPE") !== "fleet" || budget === "none") return [];
  const clashes: Clash[] = [];
  if (budget !== "token-bucket" && budget !== "success")
    clashes.push({ with: ["BUDGET"], why: "what is shared is a bucket. Use token-bucket or success" });
  if (world === "virtual")
    clashes.push({ with: ["WORLD"], why: "there is no store in virtual time. Use WORLD=process" });
  if (world === "compose" && text("BUDGET_STORE_URL") === "") {
    const why =
      "Compose brings no Redis. Name one that its containers reach (BUDGET_STORE_URL=redis://…), or use WORLD=process";
    clashes.push({ with: ["WORLD"], why });
  }
  return clashes;
}

const PER_HOP = atEachHop([
  {
    name: "INSTANCES",
    kind: "number",
    default: "1",
    range: { min: 1, max: 16, unit: "processes", whole: true },
    doc: "Local processes (WORLD=process) that each hop but the first consists of; API_INSTANCES=4 makes four apis.",
    clashes: instancesClashes,
  },
  {
    name: "BUDGET_SCOPE",
    kind: "choice",
    default: "instance",
    choices: ["instance", "fleet"],
    doc: "Whether each instance of a hop has a budget of its own, or all share one (a bucket) in a Redis store.",
    needs: [{ knob: "BUDGET", isNot: ["none"], what: "a budget", harmless: "instance" }],
    clashes: sharedBudgetClashes,
  },
  {
    name: "BUDGET_LEASE",
    field: "lease",
    kind: "number",
    default: "2",
    range: { min: 1, max: 1000, unit: "retries", whole: true },
    doc: "With BUDGET_SCOPE=fleet: the most retries that an instance holds ready, taken from the shared budget beforehand.",
    needs: [{ knob: "BUDGET_SCOPE", is: ["fleet"], what: "fleet" }],
  },
  {
    name: "BUDGET_FLOOR_PER_S",
    field: "floorPerSecond",
    kind: "number",
    default: "0.5",
    range: { min: 0, max: 1000, unit: "retries per second" },
    doc: "With BUDGET_SCOPE=fleet: what an instance may still do while the store does not answer.",
    needs: [{ knob: "BUDGET_SCOPE", is: ["fleet"], what: "fleet" }],
  },
]);

const STORE = [
  {
    name: "BUDGET_STORE_URL",
    kind: "text",
    default: "",
    form: "an address like redis://127.0.0.1:6379 without user and password, or empty",
    problems: storeProblems,
    isAddress: true,
    doc: "The Redis of BUDGET_SCOPE=fleet; empty starts a redis-server for the run (WORLD=process).",
    needs: [{ knob: "BUDGET_SCOPE", is: ["fleet"], what: "fleet" }],
  },
  {
    name: "BUDGET_STORE_TIMEOUT_MS",
    kind: "number",
    default: "50",
    range: { min: 1, max: 60_000, unit: "ms" },
    doc: "With BUDGET_SCOPE=fleet: how long the store may take to answer. No request waits for it.",
    needs: [{ knob: "BUDGET_SCOPE", is: ["fleet"], what: "fleet" }],
  },
] as const satisfies readonly Knob[];

export const FLEET_KNOBS = [...PER_HOP, ...STORE] as const;
