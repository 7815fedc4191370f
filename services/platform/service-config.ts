/** What every service needs besides its role, from the settings. */
import type { Values } from "./values.ts";

export interface ServiceConfig {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly logLevel: string;
  /** Empty where there is none. */
  readonly upstreamUrl: string;
  readonly upstreamConnections: number;
  readonly seed: number;
}

export function serviceConfigOf(values: Values): ServiceConfig {
  return {
    host: values.text("HOST"),
    port: values.number("PORT"),
    logLevel: values.text("LOG_LEVEL"),
    upstreamUrl: values.text("UPSTREAM_URL"),
    upstreamConnections: values.number("UPSTREAM_CONNECTIONS"),
    seed: values.number("SEED"),
  };
}
