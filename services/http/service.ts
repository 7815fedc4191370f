/**
 * The life of a service's process, the same for every role: read the settings, listen, stop in good order.
 *
 *     exit 0  stopped by SIGTERM, SIGINT or the end of its parent
 *     exit 1  it cannot listen
 *     exit 2  the settings are wrong; all faults are printed and nothing was started
 */
import type { RequestListener } from "node:http";
import type { Clock } from "../policy/clock.ts";
import { realClock } from "../real-time/clock.ts";
import { listen } from "./server.ts";
import { createLog, type Logger } from "../telemetry/log.ts";
import { serviceConfigOf } from "./service-config.ts";
import { startTracing } from "../telemetry/tracing.ts";
import type { Tracing } from "../telemetry/tracing-sdk.ts";
import { explainError } from "../settings/known-error.ts";
import { readValues, type Values } from "../settings/values.ts";

/** How long what is in flight may take to finish once the service is asked to stop, in milliseconds. */
const GRACE_MS = 5000;

export interface ServiceParts {
  readonly name: string;
  readonly values: Values;
  readonly config: ReturnType<typeof serviceConfigOf>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly isStopping: () => boolean;
  /** Absent where no spans are wanted. */
  readonly tracing: Tracing | undefined;
}

export interface Service {
  readonly app: RequestListener;
  /** Ends what the service itself holds open; called after its last answer. */
  close(): void;
}

/** Lets the process end once the last spans are away. */
async function leave(tracing: Tracing | undefined): Promise<void> {
  const isDone = (await tracing?.stop()) ?? true;
  // An open channel to the parent would keep the process alive.
  if (process.connected) process.disconnect();
  // So would an exporter that tries again and again.
  if (!isDone) process.exit();
}

async function run(name: string, build: (parts: ServiceParts) => Service): Promise<void> {
  const values = readValues(process.env);
  const config = serviceConfigOf(values);
  const log = createLog(name, config.logLevel);
  let stopping = false;
  const tracing = await startTracing(name, process.env, { log, clock: realClock });
  const isStopping = (): boolean => stopping;
  const service = build({ name, values, config, log, clock: realClock, isStopping, tracing });
  const server = await listen(service.app, config.host, config.port, realClock);
  const stop = (why: string): void => {
    if (stopping) return;
    stopping = true;
    log.info({ why }, "stopping");
    server.stop(GRACE_MS, () => {
      service.close();
      void leave(tracing);
    });
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop(signal));
  if (process.send !== undefined) {
    process.on("disconnect", () => stop("the parent process has gone"));
    process.send({ port: server.port });
  }
  log.info({ host: config.host, port: server.port }, "listening");
}

/** Runs the service called `name` until it is told to stop. `build` makes it from its settings. */
export function runService(name: string, build: (parts: ServiceParts) => Service): void {
  run(name, build).catch((error: unknown) => {
    process.exit(explainError(error, name, "nothing was started"));
  });
}
