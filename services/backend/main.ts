import { backendConfigOf } from "./config.ts";
import { runService } from "../http/service.ts";
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
