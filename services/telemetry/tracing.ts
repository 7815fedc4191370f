/**
 * Spans of a service: what it needs of them, and how they are switched on.
 *
 * Off, nothing of OpenTelemetry's SDK is loaded and the service is given no tracing at all.
 */
import type { Clock } from "../policy/clock.ts";
import { addressShown } from "../settings/addresses.ts";
import type { Logger } from "./log.ts";
import type { Tracing } from "./tracing-sdk.ts";
import { tracesUrlOf } from "./tracing-target.ts";

/**
 * Spans as the environment asks for them; undefined: it does not.
 * @param tier the service's name, where OTEL_SERVICE_NAME gives no other
 * @throws ConfigError
 */
export async function startTracing(
  tier: string,
  environment: Readonly<Record<string, string | undefined>>,
  { log, clock }: { readonly log: Logger; readonly clock: Clock },
): Promise<Tracing | undefined> {
  const url = tracesUrlOf(environment);
  if (url === undefined) return undefined;
  // Loaded only here: the SDK takes its time and memory, and most runs have no use for it.
  const { createTracing } = await import("./tracing-sdk.ts");
  log.info({ url: addressShown(url) }, "spans go out");
  return createTracing(tier, url, { log, clock });
}
