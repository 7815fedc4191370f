/** The knobs of a hop's retries, without budget and breaker. Each may be set for one hop alone. */
import { BACKOFF_KINDS } from "../../policy/backoff.ts";
import { RETRY_AFTER_WAITS } from "../../policy/retry-policy.ts";
import { RETRY_ON_ALL, retryOnList, retryOnProblems } from "../../policy/retry-on.ts";
import { atEachHop, type Need } from "./knob.ts";

/** Whether some hop comes back after the time that it was asked for: its base spreads those who were told the same. */
const spreadsByTheBase: Need["unless"] = (texts) =>
  Object.entries(texts).some(([name, text]) => text === "1" && /^(\w+_)?OVERLOAD_RETRY$/.test(name));

const ATTEMPTS = atEachHop([
  {
    name: "MAX_ATTEMPTS",
    field: "maxAttempts",
    kind: "number",
    default: "3",
    range: { min: 1, max: 100, unit: "attempts", whole: true },
    doc: "Attempts for each request, the first included; 1 means no retries.",
  },
  {
    name: "ATTEMPT_TIMEOUT_MS",
    field: "attemptTimeoutMs",
    kind: "number",
    default: "200",
    hopDefaults: { edge: "700" },
    range: { min: 1, max: 600_000, unit: "ms", word: "off" },
    doc: "How long one attempt may take. The edge has its own default: it waits for all attempts of the api.",
  },
]);

export const BACKOFF_KNOBS = atEachHop([
  {
    name: "BACKOFF",
    field: "kind",
    kind: "choice",
    default: "fixed",
    choices: BACKOFF_KINDS,
    doc: "How the wait before a retry grows and is spread.",
  },
  {
    name: "BACKOFF_BASE_MS",
    field: "baseMs",
    kind: "number",
    default: "10",
    range: { min: 0, max: 600_000, unit: "ms" },
    doc: "The wait before the first retry, before jitter.",
    needs: [{ knob: "BACKOFF", isNot: ["none"], what: "a backoff", unless: spreadsByTheBase }],
    atMost: [{ knob: "BACKOFF_CAP_MS", why: "the longest wait cannot be below the first" }],
  },
  {
    name: "BACKOFF_CAP_MS",
    field: "capMs",
    kind: "number",
    default: "1000",
    range: { min: 0, max: 600_000, unit: "ms" },
    doc: "The longest wait before a retry, where waits grow.",
    needs: [{ knob: "BACKOFF", isNot: ["none", "fixed"], what: "a backoff that grows" }],
  },
  {
    name: "BACKOFF_FACTOR",
    field: "factor",
    kind: "number",
    default: "2",
    range: { min: 1, max: 10, unit: "times" },
    doc: "With BACKOFF=exponential, full or equal: how much longer each wait is than the one before.",
    needs: [{ knob: "BACKOFF", is: ["exponential", "full", "equal"], what: "exponential, full or equal" }],
  },
  {
    name: "BACKOFF_JITTER",
    field: "jitter",
    kind: "number",
    default: "0",
    range: { min: 0, max: 1, unit: "of the wait" },
    doc: "With BACKOFF=fixed or exponential: by what share each wait varies, up and down. 0.2 is gRPC's.",
    needs: [{ knob: "BACKOFF", is: ["fixed", "exponential"], what: "fixed or exponential" }],
  },
  {
    name: "BACKOFF_BASE_429_MS",
    field: "base429Ms",
    kind: "number",
    default: "auto",
    range: { min: 0, max: 600_000, unit: "ms", word: "auto" },
    doc: "The wait before the first retry after 429, where it differs from BACKOFF_BASE_MS.",
    needs: [{ knob: "BACKOFF", isNot: ["none"], what: "a backoff" }],
  },
]);

const DEADLINES_AND_GATES = atEachHop([
  {
    name: "DEADLINE_MS",
    field: "deadlineMs",
    kind: "number",
    default: "off",
    range: { min: 1, max: 600_000, unit: "ms", word: "off" },
    doc: "By when, from its arrival, a request must be answered; handed down the chain as what remains.",
  },
  {
    name: "MIN_ATTEMPT_MS",
    field: "minAttemptMs",
    kind: "number",
    default: "0",
    range: { min: 0, max: 600_000, unit: "ms" },
    doc: "The least time before the deadline that makes an attempt worth beginning.",
    atMost: [
      { knob: "ATTEMPT_TIMEOUT_MS", why: "no attempt is ever given as much time as it needs at least" },
      { knob: "DEADLINE_MS", strictly: true, why: "no attempt could ever begin" },
    ],
  },
  {
    name: "PASS_DEADLINE",
    field: "passDeadline",
    kind: "flag",
    default: "1",
    doc: "Whether the tier below is told what remains before the deadline; with 0 the deadline ends at this hop.",
  },
  {
    name: "FOLLOW_CALLER",
    field: "followCaller",
    kind: "flag",
    default: "1",
    doc: "Whether this hop stops once its caller has gone; with 0 it goes on and retries, and that work is wasted.",
  },
  {
    name: "RETRY_ON",
    kind: "text",
    default: RETRY_ON_ALL,
    form: 'a list of connect, reset, timeout, a class (5xx, 4xx) and statuses, such as "connect,503"',
    problems: retryOnProblems,
    canonical: (text: string) => retryOnList(text).join(","),
    doc: "What is worth a retry: no connection, no answer, an attempt that took too long, and the answers by their status.",
  },
  {
    name: "RETRY_OWNER",
    field: "retryOwner",
    kind: "flag",
    default: "1",
    doc: "Whether this hop retries at all; with 0 it makes one attempt and hands on what it got.",
  },
  {
    name: "RESPECT_RETRY_OK",
    field: "respectRetryOk",
    kind: "flag",
    default: "0",
    doc: "Whether x-retry-ok: 0 from below stops the retries here.",
  },
  {
    name: "RESPECT_RETRY_AFTER",
    field: "respectRetryAfter",
    kind: "flag",
    default: "0",
    doc: "Whether 503 and 429 count as overload, and their Retry-After is kept, instead of as any failure.",
  },
  {
    name: "OVERLOAD_RETRY",
    field: "overloadRetry",
    kind: "flag",
    default: "0",
    doc: "With RESPECT_RETRY_AFTER=1: whether to retry after the time asked for, or to stop at once.",
    needs: [{ knob: "RESPECT_RETRY_AFTER", is: ["1"], what: "1", harmless: "0" }],
  },
  {
    name: "RETRY_AFTER_WAIT",
    field: "retryAfterWait",
    kind: "choice",
    default: "spread",
    choices: RETRY_AFTER_WAITS,
    doc: "With OVERLOAD_RETRY=1, after Retry-After: that and more, exactly that, at least that, or at most 5 s more than the backoff.",
    needs: [{ knob: "OVERLOAD_RETRY", is: ["1"], what: "1", harmless: "spread" }],
  },
]);

/** Those that are a hop's policy by themselves. */
export const ATTEMPT_KNOBS = [...ATTEMPTS, ...DEADLINES_AND_GATES];
export const RETRY_KNOBS = [...ATTEMPTS, ...BACKOFF_KNOBS, ...DEADLINES_AND_GATES];
