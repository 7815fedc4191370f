/**
 * Spans of a service: what it needs of them, and how they are switched on.
 *
 * Off, nothing of OpenTelemetry's SDK is loaded and the service is given no tracing at all.
 */
import type { HopRequest, HopWatch } from "../hop/request.ts";
import type { Logger } from "./log.ts";
import type { ServeTraced } from "./tracing-backend.ts";
import { tracesUrlOf } from "./tracing-target.ts";

/** The spans of a hop. */
export interface HopTracing {
  /** Begins the span of a request that has arrived; the hop is to be given what comes back. */
  enter(request: HopRequest): HopRequest;
  /** Begins and ends the spans of attempts, and ends those of requests. */
  readonly watch: HopWatch;
  /** An attempt leaves for `origin` (http://127.0.0.1:8080): the trace context of its span, which it is to carry. */
  readonly traceparentOf: (sent: HopRequest, origin: string) => string;
}

export interface Tracing {
  hop(): HopTracing;
  /** What a backend serves, with a span for each call. */
  backend(serve: ServeTraced): ServeTraced;
  /**
   * Sends what is left, within a bounded time. Never rejects.
   * @returns false where that was not enough, and something may still be under way
   */
  stop(): Promise<boolean>;
}

/**
 * Spans as the environment asks for them; undefined: it does not.
 * @param tier the service's name, where OTEL_SERVICE_NAME gives no other
 * @throws ConfigError
 */
export async function startTracing(
  tier: string,
  environment: Readonly<Record<string, string | undefined>>,
  log: Logger,
): Promise<Tracing | undefined> {
  const url = tracesUrlOf(environment);
  if (url === undefined) return undefined;
  // Loaded only here: the SDK takes its time and memory, and most runs have no use for it.
  const { createTracing } = await import("./tracing-sdk.ts");
  log.info({ url }, "spans go out");
  return createTracing(tier, url, log);
}
