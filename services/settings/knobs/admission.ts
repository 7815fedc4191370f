/** The knobs of a hop's admission: how much it takes on at once. Each may be set for one hop alone. */
import { ADMISSION_KINDS } from "../../policy/admission.ts";
import { QUEUE_ORDERS } from "../../policy/queue/order.ts";
import { atEachHop } from "./knob.ts";

export const ADMISSION_KNOBS = atEachHop([
  {
    name: "ADMISSION",
    kind: "choice",
    default: "off",
    choices: ADMISSION_KINDS,
    doc: "Whether a hop sheds what it cannot take on (503 and Retry-After, no attempt): beyond a fixed limit, or one that it finds by itself.",
  },
  {
    name: "ADMISSION_LIMIT",
    field: "limit",
    kind: "number",
    default: "8",
    range: { min: 1, max: 100_000, unit: "requests", whole: true },
    doc: "With ADMISSION=fixed: requests that a hop works on at once.",
    needs: [{ knob: "ADMISSION", is: ["fixed"], what: "fixed" }],
  },
  {
    name: "ADMISSION_QUEUE",
    field: "queue",
    kind: "number",
    default: "0",
    range: { min: 0, max: 10_000, unit: "requests", whole: true },
    doc: "Requests that may wait to be taken on; those beyond it are shed at once.",
    needs: [{ knob: "ADMISSION", isNot: ["off"], what: "a limit" }],
  },
  {
    name: "ADMISSION_ORDER",
    field: "order",
    kind: "choice",
    default: "fifo",
    choices: QUEUE_ORDERS,
    doc: "Who is taken on next; the orders are those of QUEUE_ORDER.",
    needs: [{ knob: "ADMISSION_QUEUE", isNot: ["0"], what: "a queue" }],
  },
  {
    name: "ADMISSION_CODEL",
    field: "codel",
    kind: "flag",
    default: "0",
    doc: "Whether requests are shed from a queue that stands, as with CODEL.",
    needs: [{ knob: "ADMISSION_QUEUE", isNot: ["0"], what: "a queue" }],
  },
  {
    name: "ADMISSION_RETRY_AFTER_S",
    field: "retryAfterMs",
    kind: "number",
    default: "1",
    range: { min: 0, max: 3600, unit: "seconds", times: 1000 },
    doc: "What the Retry-After of a shed request says.",
    needs: [{ knob: "ADMISSION", isNot: ["off"], what: "a limit" }],
  },
]);
