/** OpenTelemetry's SDK behind `Tracing`: a bounded queue of spans that go out in batches, apart from the requests. */
import { diag, DiagLogLevel } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { Clock } from "../policy/clock.ts";
import { addressShown } from "../settings/addresses.ts";
import { reasonOf } from "../settings/known-error.ts";
import type { Reach } from "./process-stats.ts";
import { Exports, tellingOnce } from "./span-exports.ts";
import type { Logger } from "./log.ts";
import { tracedBackend, type ServeTraced } from "./backend-spans.ts";
import { hopTracing, type HopTracing } from "./hop-spans.ts";

/** What a service needs of spans. */
export interface Tracing {
  hop(): HopTracing;
  /** What a backend serves, with a span for each call. */
  backend(serve: ServeTraced): ServeTraced;
  /** Whether spans arrive. */
  readonly reach: Reach;
  /**
   * Sends what is left, within a bounded time. Never rejects.
   * @returns false where that was not enough, and something may still be under way
   */
  stop(): Promise<boolean>;
}

/** How long the last spans may take once the service has stopped, in milliseconds: the lab waits 7 s for all of it. */
const FLUSH_MS = 1500;

/** Lines in which the SDK may complain, of settings or of spans that its queue had no room for. */
const MOST_COMPLAINTS = 10;

/** The SDK knows one listener in a process. */
function hearComplaints(log: Logger): void {
  let left = MOST_COMPLAINTS;
  const complain = (text: string): void => {
    left -= 1;
    if (left >= 0) log.warn({ said: text }, "OpenTelemetry complains");
  };
  const ignore = (): void => {};
  const listener = { error: complain, warn: complain, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(listener, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

function exporterOf(url: string, log: Logger, exports: Exports): SpanExporter {
  return tellingOnce(new OTLPTraceExporter({ url }), exports, (error = new Error("unknown")) =>
    log.warn(
      { url: addressShown(url), reason: reasonOf(error) },
      "spans do not arrive; requests are not affected, and this is said once",
    ),
  );
}

function providerOf(tier: string, exporter: SpanExporter): BasicTracerProvider {
  const named = resourceFromAttributes({ "service.name": tier });
  const environment = detectResources({ detectors: [envDetector] });
  return new BasicTracerProvider({
    resource: defaultResource().merge(named).merge(environment),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
}

/** @param url the address that spans are posted to */
export function createTracing(tier: string, url: string, { log, clock }: { log: Logger; clock: Clock }): Tracing {
  hearComplaints(log);
  const exports = new Exports(clock);
  const provider = providerOf(tier, exporterOf(url, log, exports));
  const tracer = provider.getTracer("retry-storm-testbed");
  return {
    hop: () => hopTracing(tracer, tier),
    backend: (serve) => tracedBackend(tracer, tier, serve),
    reach: exports.reach,
    stop: () =>
      new Promise((resolve) => {
        const late = setTimeout(() => resolve(false), FLUSH_MS);
        late.unref();
        const end = (): void => {
          clearTimeout(late);
          resolve(true);
        };
        provider.shutdown().then(end, end);
      }),
  };
}
