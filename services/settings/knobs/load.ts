/** The knobs of the load that is offered. */
import { parseProfile } from "../rate-profile.ts";
import { afterTheEnd, type Clash, type InForce, type Knob } from "./knob.ts";

/** More records than this are no experiment but a slip, and would fill the disk. */
const MOST_REQUESTS = 10_000_000;

function tooManyRequests({ number }: InForce): Clash[] {
  if (number("RATE") * number("DURATION_S") <= MOST_REQUESTS) return [];
  return [{ with: ["DURATION_S"], why: `a run has at most ${MOST_REQUESTS} requests` }];
}

/** A ramp may end where the run does. */
function ratesAfterTheEnd({ number, text }: InForce): Clash[] {
  const endS = number("DURATION_S");
  return parseProfile(text("RATE_PROFILE"))
    .steps.filter(({ atS, ramp }) => atS > endS || (atS === endS && !ramp))
    .map(({ atS }) => afterTheEnd(atS));
}

function closedLoopClashes({ text }: InForce): Clash[] {
  if (text("LOAD") !== "closed") return [];
  const why = "a closed loop waits for answers and has no schedule";
  return [
    ...(text("ARRIVALS") === "poisson" ? [{ with: ["ARRIVALS"], why }] : []),
    ...(text("RATE_PROFILE") === "" ? [] : [{ with: ["RATE_PROFILE"], why }]),
    ...(text("WORLD") === "virtual" ? [{ with: ["WORLD"], why: "the closed loop runs over HTTP only" }] : []),
  ];
}

const SCHEDULE_KNOBS = [
  {
    name: "RATE",
    field: "rate",
    kind: "number",
    default: "60",
    range: { min: 0.1, max: 100_000, unit: "requests per second" },
    doc: "Load that is offered; with RATE_PROFILE, the rate until its first step.",
    clashes: tooManyRequests,
  },
  {
    name: "DURATION_S",
    field: "durationS",
    kind: "number",
    default: "20",
    range: { min: 0.1, max: 86_400, unit: "seconds" },
    doc: "Length of the measured run.",
  },
  {
    name: "ARRIVALS",
    field: "arrivals",
    kind: "choice",
    default: "constant",
    choices: ["constant", "poisson"],
    doc: "Evenly spaced requests, or independent ones (a Poisson process of the same rate).",
  },
  {
    name: "RATE_PROFILE",
    kind: "text",
    default: "",
    form: 'steps like "at 5s rate 120; by 20s rate 200", or empty',
    problems: (text) => parseProfile(text).problems,
    doc: "Changes of the rate: at = from then on, by = in a straight line until then.",
    clashes: ratesAfterTheEnd,
  },
  {
    name: "SEED",
    field: "seed",
    kind: "number",
    default: "1",
    range: { min: 0, max: 4_294_967_295, unit: "(32 bits)", whole: true },
    doc: "Seed of all random numbers: with the same seed, every policy meets the same arrivals, errors and jitter.",
  },
  {
    name: "WARMUP_S",
    field: "warmupS",
    kind: "number",
    default: "1",
    range: { min: 0, max: 600, unit: "seconds" },
    doc: "Load on a healthy backend before the measured run; not measured.",
  },
  {
    name: "WRITE_SHARE",
    field: "writeShare",
    kind: "number",
    default: "0",
    range: { min: 0, max: 1, unit: "of the requests" },
    doc: "Share of writes (POST); the rest are reads.",
  },
  {
    name: "IDEMPOTENCY_KEYS",
    field: "idempotencyKeys",
    kind: "flag",
    default: "1",
    doc: "Whether writes carry an idempotency key; without one they are never retried.",
    needs: [{ knob: "WRITE_SHARE", isNot: ["0"], what: "writes", harmless: "1" }],
  },
] as const satisfies readonly Knob[];

const CLIENT_KNOBS = [
  {
    name: "LOAD",
    field: "mode",
    kind: "choice",
    default: "open",
    choices: ["open", "closed"],
    doc: "Open: requests come on schedule, whatever happens. Closed: each connection waits for its answer first.",
    clashes: closedLoopClashes,
  },
  {
    name: "CLOSED_CONNECTIONS",
    field: "closedConnections",
    kind: "number",
    default: "10",
    range: { min: 1, max: 10_000, unit: "connections", whole: true },
    doc: "Clients of a closed loop (LOAD=closed).",
    needs: [{ knob: "LOAD", is: ["closed"], what: "closed" }],
  },
  {
    name: "CLIENT_TIMEOUT_MS",
    field: "clientTimeoutMs",
    kind: "number",
    default: "10000",
    range: { min: 1, max: 3_600_000, unit: "ms", word: "off" },
    doc: "When the client gives up. Far above the 1.9 s of the reference storm: a bound, not what is measured.",
  },
  {
    name: "CLIENT_CONNECTIONS",
    field: "clientConnections",
    kind: "number",
    default: "1024",
    range: { min: 1, max: 65_535, unit: "connections", whole: true },
    doc: "The most connections of the client to the first tier.",
  },
  {
    name: "DRAIN_S",
    field: "drainS",
    kind: "number",
    default: "15",
    range: { min: 0, max: 600, unit: "seconds" },
    doc: "The longest wait, after the run, for what is still under way.",
  },
] as const satisfies readonly Knob[];

export const LOAD_KNOBS = [...SCHEDULE_KNOBS, ...CLIENT_KNOBS] as const;
