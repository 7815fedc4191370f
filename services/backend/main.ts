import { backendConfigOf } from "../platform/backend-config.ts";
import { runService } from "../platform/service.ts";
import { createBackendApp } from "./app.ts";

runService("backend", ({ name, values, config, clock, log, isStopping, tracing }) =>
  createBackendApp({
    name,
    config: backendConfigOf(values),
    seed: config.seed,
    clock,
    log,
    isStopping,
    tracing,
  }),
);
