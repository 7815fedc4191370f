/**
 * The other kind of load test: a closed loop, by autocannon. Each connection waits for its answer before it sends
 * again.
 *
 * It is here for the contrast. Users do not wait for each other, a closed loop does: when the service slows down, so
 * does the load, and what would have been a storm looks like a few slow requests. Latency counts from the actual send,
 * since there is no schedule that a request could be late for. RATE is a cap here, not a schedule.
 */
import autocannon, { type Client, type Options, type Request } from "autocannon";
import { ATTEMPTS_MADE } from "../../services/contract/headers.ts";
import type { Clock } from "../../services/policy/clock.ts";
import { uniform } from "../../services/policy/rng.ts";
import { recordOf, type OnRecord } from "./attack.ts";
import type { LoadConfig } from "../core/config.ts";
import type { Load } from "./load.ts";
import { readAnswer, requestHeaders, type Said } from "./order-wire.ts";
import type { Arrival } from "../core/schedule.ts";
import { orderTraceId } from "../core/trace-id.ts";
import type { Outcome } from "../../services/policy/outcome.ts";
import { WRITES } from "../../services/policy/rng-keys.ts";

/** autocannon looks this often whether its time is up, in milliseconds. */
const LOOK_EVERY_MS = 50;
/** The longest that a timer of Node can wait, in seconds. */
const LONGEST_TIMEOUT_S = 2 ** 31 / 1000 - 1;

/** What all connections share. */
interface Loop {
  readonly config: LoadConfig;
  readonly clock: Clock;
  readonly startMs: number;
  /** The next order; called as it is sent. */
  readonly next: () => Arrival;
  readonly onRecord: OnRecord;
}

/** One connection: at most one order is open on it. */
interface Connection {
  readonly request: Request;
  /** Its open order ends without an answer. */
  abandon(outcome: Outcome): void;
}

function nextOrder({ seed, writeShare, idempotencyKeys }: LoadConfig, n: number, intendedMs: number): Arrival {
  const id = `s${seed}-${n}`;
  const writes = writeShare > 0 && uniform(seed, WRITES, n) < writeShare;
  const order: Arrival = { n, id, method: writes ? "POST" : "GET", intendedMs };
  return writes && idempotencyKeys ? { ...order, idempotencyKey: `key-${id}` } : order;
}

function headerOf(headers: object | undefined, wanted: string): string | undefined {
  const found = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === wanted);
  return found === undefined ? undefined : String(found[1]);
}

function createConnection({ config, clock, startMs, next, onRecord }: Loop): Connection {
  let open: Arrival | undefined;
  const end = (status: number, outcome: Outcome, said: Said): void => {
    if (open === undefined) return;
    const handedAt = startMs + open.intendedMs;
    const ending = { handedAt, sent: true, endedAt: clock.now(), outcome, status, ...said };
    onRecord(recordOf(open, orderTraceId(config.seed, open.id), handedAt, ending), true);
    open = undefined;
  };
  const abandon = (outcome: Outcome): void => end(0, outcome, {});
  const setupRequest = (request: Request): Request => {
    // It sends again without an answer to the last order when that took too long, or when the connection broke.
    const waited = open === undefined ? 0 : clock.now() - startMs - open.intendedMs;
    abandon(waited >= config.clientTimeoutMs ? "timeout" : "failed");
    open = next();
    const headers = Object.fromEntries(requestHeaders(open, orderTraceId(config.seed, open.id)));
    return { ...request, method: open.method, path: `/orders/${open.id}`, headers };
  };
  const onResponse = (status: number, text: string, _context: object, headers?: object): void => {
    const contentType = headerOf(headers, "content-type");
    const answer = { status, contentType, attempts: headerOf(headers, ATTEMPTS_MADE), text };
    const { outcome, ...said } = readAnswer(answer);
    end(status, outcome, said);
  };
  return { request: { setupRequest, onResponse }, abandon };
}

/** CLOSED_CONNECTIONS clients in a closed loop, together at most RATE requests a second. */
export const closedLoop: Load = async ({ config, clock, stop, onStart, onDue, onRecord }) => {
  const startMs = clock.now();
  onStart(startMs);
  if (stop.aborted) return;
  let sent = 0;
  const next = (): Arrival => {
    onDue();
    sent += 1;
    return nextOrder(config, sent - 1, clock.now() - startMs);
  };
  const connections: Connection[] = [];
  const setupClient = (client: Client): void => {
    const connection = createConnection({ config, clock, startMs, next, onRecord });
    connections.push(connection);
    client.setRequests([connection.request]);
  };
  const options: Options = {
    url: config.chain[0]?.url ?? "",
    connections: config.closedConnections,
    overallRate: Math.max(1, Math.round(config.rate)),
    duration: config.durationS,
    timeout: Math.min(LONGEST_TIMEOUT_S, config.clientTimeoutMs / 1000),
    sampleInt: LOOK_EVERY_MS,
    // Its correction takes a wrong interval, and there is no schedule to correct by.
    ignoreCoordinatedOmission: true,
    setupClient,
  };
  await new Promise<void>((resolve, reject) => {
    const over = (error: unknown): void => (error instanceof Error ? reject(error) : resolve());
    const instance = autocannon(options, over);
    stop.addEventListener("abort", () => instance.stop(), { once: true });
  });
  for (const connection of connections) connection.abandon("cancelled");
};
