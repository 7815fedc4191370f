/** The knobs of the struggling dependency. */
import { parseTimeline } from "../backend/faults.ts";
import { QUEUE_SAFETY_LIMIT } from "../backend/model.ts";
import type { Knob } from "./knob.ts";

export const BACKEND_KNOBS: readonly Knob[] = [
  {
    name: "CAPACITY",
    kind: "number",
    default: "90",
    min: 0.001,
    max: 100_000,
    unit: "calls per second",
    doc: "Calls that the backend's throttle lets through.",
  },
  {
    name: "CAPACITY_BURST",
    kind: "number",
    default: "auto",
    min: 1,
    max: 100_000,
    unit: "calls",
    word: "auto",
    doc: "Calls that may pass at once after a quiet time; auto is a tenth of CAPACITY.",
  },
  {
    name: "LATENCY_MS",
    kind: "number",
    default: "8",
    min: 0,
    max: 600_000,
    unit: "ms",
    doc: "Time that the backend works on a call, once it may begin.",
  },
  {
    name: "ERROR_RATE",
    kind: "number",
    default: "0.4",
    min: 0,
    max: 1,
    unit: "of the served calls",
    doc: "Share of the served calls that fail.",
  },
  {
    name: "QUEUE_LIMIT",
    kind: "number",
    default: "off",
    min: 0,
    max: QUEUE_SAFETY_LIMIT,
    unit: "calls",
    whole: true,
    word: "off",
    doc: "Calls that may wait; those beyond it are shed at once with 503 and Retry-After.",
  },
  {
    name: "SHED_RETRY_AFTER_S",
    kind: "number",
    default: "1",
    min: 0,
    max: 3600,
    unit: "seconds",
    doc: "What the Retry-After of a shed call says.",
  },
  {
    name: "DROP_EXPIRED",
    kind: "flag",
    default: "0",
    doc: "Whether a waiting call whose deadline has passed is dropped instead of served.",
  },
  {
    name: "LEAVE_ON_DISCONNECT",
    kind: "flag",
    default: "0",
    doc: "Whether a caller who has gone leaves the queue; if not, the work is done for nobody.",
  },
  {
    name: "FAULT_TIMELINE",
    kind: "text",
    default: "",
    form: 'steps like "at 5s capacity 90 error 0.4; at 15s capacity 200 error 0", or empty',
    problems: (text) => parseTimeline(text).problems,
    doc: "Changes of capacity, error (rate) and latency (ms) during the run.",
  },
];
