/** What every service needs besides its role, from the settings. */
import { ConfigError } from "../settings/known-error.ts";
import { instanceUrls, isHttpUrl } from "../settings/addresses.ts";
import { PROGRAM_KNOBS } from "../settings/knobs/programs.ts";
import type { Values } from "../settings/values.ts";

export interface ServiceConfig {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly logLevel: string;
  /** Empty where there is none. */
  readonly upstreamUrl: string;
  readonly upstreamConnections: number;
  readonly seed: number;
  /** Where instances share a budget; empty where there is none. */
  readonly storeUrl: string;
  readonly storeTimeoutMs: number;
}

export function serviceConfigOf(values: Values): ServiceConfig {
  return {
    ...values.fields(PROGRAM_KNOBS),
    seed: values.number("SEED"),
    storeUrl: values.text("BUDGET_STORE_URL"),
    storeTimeoutMs: values.number("BUDGET_STORE_TIMEOUT_MS"),
  };
}

/** @throws ConfigError where a hop does not know whom it calls */
export function checkUpstream({ upstreamUrl: url }: ServiceConfig): void {
  const urls = instanceUrls(url);
  if (urls.length > 0 && urls.every(isHttpUrl)) return;
  const given = url === "" ? "and it is not set" : `not "${url.slice(0, 100)}"`;
  throw new ConfigError([`UPSTREAM_URL must be the address of the tier below, like http://127.0.0.1:8080, ${given}`]);
}
