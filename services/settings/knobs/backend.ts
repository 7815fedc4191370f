/** The knobs of the struggling dependency. */
import { THROTTLES } from "../../backend/core/config.ts";
import { CONCURRENCY_LIMITS } from "../../policy/queue/concurrency-limit.ts";
import { DEDUP_MODES } from "../../backend/core/idempotency-store.ts";
import { parseTimeline, slowsStragglers } from "../../contract/fault-timeline.ts";
import { FAULTS, type Fault, type FaultKey } from "../../contract/faults.ts";
import { QUEUE_ORDERS } from "../../policy/queue/order.ts";
import { QUEUE_SAFETY_LIMIT } from "../../backend/core/model.ts";
import { afterTheEnd, type Clash, type InForce, type Knob, type Need } from "./knob.ts";

/** Only this throttle has a queue, and with it replicas, shedding and remembered keys. */
const A_QUEUE: Need = { knob: "THROTTLE", is: ["queue"], what: "queue" };

/** Whether calls are shed, and told when to come back, although the queue has no limit. */
const shedsWithoutLimit: Need["unless"] = ({ CODEL, CONCURRENCY_LIMIT }) =>
  CODEL === "1" || CONCURRENCY_LIMIT !== "none";

function timelineClashes({ number, text }: InForce): Clash[] {
  const timeline = text("FAULT_TIMELINE");
  const late = parseTimeline(timeline).steps.filter(({ atMs }) => atMs / 1000 >= number("DURATION_S"));
  const hasStragglers = number("STRAGGLER_SHARE") > 0 || number("SLOW_REPLICA") !== Infinity;
  const none: Clash = {
    detail: "makes stragglers slower",
    with: ["STRAGGLER_SHARE", "SLOW_REPLICA"],
    why: "there are none. Set one of the two",
  };
  return [
    ...(hasStragglers || !slowsStragglers(timeline) ? [] : [none]),
    ...late.map(({ atMs }) => afterTheEnd(atMs / 1000)),
  ];
}

const FAULT_NEEDS: Partial<Record<FaultKey, readonly Need[]>> = {
  stragglerMs: [
    {
      knob: "STRAGGLER_SHARE",
      isNot: ["0"],
      what: "stragglers",
      harmless: "0",
      unless: ({ SLOW_REPLICA }) => SLOW_REPLICA !== "off",
    },
  ],
};

/** What those faults are at the start of a run. */
function faultKnobs(isMeant: (fault: Fault) => boolean) {
  return FAULTS.filter(isMeant).map(
    ({ key, knob, default: initially, range, doc }) =>
      ({
        name: knob,
        field: key,
        kind: "number",
        default: String(initially),
        range,
        doc,
        needs: FAULT_NEEDS[key] ?? [],
      }) as const,
  );
}

export const BACKEND_KNOBS = [
  ...faultKnobs(({ key }) => key === "capacity"),
  {
    name: "THROTTLE",
    field: "throttle",
    kind: "choice",
    default: "queue",
    choices: THROTTLES,
    doc: "How calls beyond the capacity fare: they wait in a queue, or are slower and fail more often (docs/published.md).",
  },
  {
    name: "CAPACITY_BURST",
    kind: "number",
    default: "auto",
    range: { min: 1, max: 100_000, unit: "calls", word: "auto" },
    doc: "Calls that may pass at once after a quiet time; auto is a tenth of CAPACITY.",
    needs: [A_QUEUE],
  },
  ...faultKnobs(({ key }) => key === "latencyMs"),
  ...faultKnobs(({ key }) => key === "errorRate"),
  {
    name: "QUEUE_LIMIT",
    field: "queueLimit",
    kind: "number",
    default: "off",
    range: { min: 0, max: QUEUE_SAFETY_LIMIT, unit: "calls", whole: true, word: "off" },
    doc: "Calls that may wait; those beyond it are shed at once with 503 and Retry-After.",
    needs: [A_QUEUE],
  },
  {
    name: "SHED_RETRY_AFTER_S",
    field: "shedRetryAfterS",
    kind: "number",
    default: "1",
    range: { min: 0, max: 3600, unit: "seconds" },
    doc: "What the Retry-After of a shed call says.",
    needs: [{ knob: "QUEUE_LIMIT", isNot: ["off"], what: "a limit", unless: shedsWithoutLimit }],
  },
  {
    name: "SHED_AS",
    kind: "choice",
    default: "unavailable",
    choices: ["unavailable", "throttled"],
    doc: "What a shed call is answered: 503 (unavailable), or 429 (throttled) as by a rate limit. Clients tell them apart.",
    needs: [{ knob: "QUEUE_LIMIT", isNot: ["off"], what: "a limit" }],
  },
  {
    name: "DROP_LATE",
    field: "dropLate",
    kind: "flag",
    default: "0",
    doc: "Whether a waiting call is dropped that could not be answered by its deadline any more, going by the latest service times.",
  },
  {
    name: "DROP_EXPIRED",
    field: "dropExpired",
    kind: "flag",
    default: "0",
    doc: "Whether a waiting call whose deadline has passed is dropped instead of served.",
    needs: [A_QUEUE],
  },
  {
    name: "LEAVE_ON_DISCONNECT",
    field: "leaveOnDisconnect",
    kind: "flag",
    default: "0",
    doc: "Whether a caller who has gone leaves the queue; if not, the work is done all the same, and wasted.",
    needs: [A_QUEUE],
  },
  {
    name: "QUEUE_ORDER",
    field: "queueOrder",
    kind: "choice",
    default: "fifo",
    choices: QUEUE_ORDERS,
    doc: "Who is served next; lifo turns around once the oldest has waited 100 ms, priority puts first tries first.",
    needs: [A_QUEUE],
  },
  {
    name: "CODEL",
    field: "codel",
    kind: "flag",
    default: "0",
    doc: "Whether calls are shed from a queue that stands (wait above 5 ms for 100 ms).",
    needs: [A_QUEUE],
  },
  {
    name: "CONCURRENCY_LIMIT",
    field: "concurrencyLimit",
    kind: "choice",
    default: "none",
    choices: CONCURRENCY_LIMITS,
    doc: "A limit of the calls inside the backend that it finds by itself; those beyond it are shed.",
    needs: [A_QUEUE],
  },
  {
    name: "DEDUP",
    field: "dedup",
    kind: "choice",
    default: "off",
    choices: DEDUP_MODES,
    doc: "Whether idempotency keys are remembered, and what a repeat gets while the first call runs: its answer, or 409.",
    needs: [A_QUEUE],
  },
  {
    name: "DEDUP_TTL_S",
    field: "dedupTtlMs",
    kind: "number",
    default: "600",
    range: { min: 0.001, max: 86_400, unit: "seconds", times: 1000 },
    doc: "How long the answer to an idempotency key is remembered.",
    needs: [{ knob: "DEDUP", isNot: ["off"], what: "remembered keys" }],
  },
  {
    name: "RESPONSE_LOSS",
    field: "responseLoss",
    kind: "number",
    default: "0",
    range: { min: 0, max: 1, unit: "of the good answers" },
    doc: "Share of the calls whose work is done and whose answer then gets lost.",
    needs: [A_QUEUE],
  },
  {
    name: "STRAGGLER_SHARE",
    field: "stragglerShare",
    kind: "number",
    default: "0",
    range: { min: 0, max: 1, unit: "of the calls" },
    doc: "Share of the calls that are served STRAGGLER_MS slower.",
    needs: [
      {
        knob: "STRAGGLER_MS",
        isNot: ["0"],
        what: "some delay",
        harmless: "0",
        unless: ({ FAULT_TIMELINE = "" }) => slowsStragglers(FAULT_TIMELINE),
      },
      A_QUEUE,
    ],
  },
  ...faultKnobs((fault) => "optional" in fault),
  {
    name: "FAULT_TIMELINE",
    kind: "text",
    default: "",
    form: 'steps like "at 5s capacity 90 error 0.4; at 15s capacity 200 error 0", or empty',
    problems: (text) => parseTimeline(text).problems,
    doc: `Changes of ${FAULTS.map(({ word, knob }) => `${word} (${knob})`).join(", ")} during the run.`,
    clashes: timelineClashes,
  },
] as const satisfies readonly Knob[];
