/** The generator's part of the settings. */
import { tierAddresses } from "../../services/settings/addresses.ts";
import type { Values } from "../../services/settings/values.ts";
import { parseProfile, type RateStep } from "../../services/settings/rate-profile.ts";

export interface LoadConfig {
  readonly mode: "open" | "closed";
  /** Requests a second. */
  readonly rate: number;
  readonly durationS: number;
  readonly arrivals: "constant" | "poisson";
  readonly rateProfile: RateStep[];
  readonly seed: number;
  readonly warmupS: number;
  /** 0 to 1. */
  readonly writeShare: number;
  readonly idempotencyKeys: boolean;
  readonly closedConnections: number;
  /** Infinity: the client waits for ever. */
  readonly clientTimeoutMs: number;
  readonly clientConnections: number;
  readonly drainS: number;
  readonly reportsDir: string;
  readonly policy: string;
  readonly world: string;
  readonly scenario: string;
  /** From the client's side down; the backend is the last. */
  readonly chain: { name: string; url: string }[];
}

export function loadConfigOf(values: Values): LoadConfig {
  return {
    mode: values.choice("LOAD"),
    rate: values.number("RATE"),
    durationS: values.number("DURATION_S"),
    arrivals: values.choice("ARRIVALS"),
    rateProfile: parseProfile(values.text("RATE_PROFILE")).steps,
    seed: values.number("SEED"),
    warmupS: values.number("WARMUP_S"),
    writeShare: values.number("WRITE_SHARE"),
    idempotencyKeys: values.flag("IDEMPOTENCY_KEYS"),
    closedConnections: values.number("CLOSED_CONNECTIONS"),
    clientTimeoutMs: values.number("CLIENT_TIMEOUT_MS"),
    clientConnections: values.number("CLIENT_CONNECTIONS"),
    drainS: values.number("DRAIN_S"),
    reportsDir: values.text("REPORTS_DIR"),
    policy: values.text("POLICY"),
    world: values.text("WORLD"),
    scenario: values.text("SCENARIO"),
    chain: tierAddresses(values.text("CHAIN")),
  };
}
