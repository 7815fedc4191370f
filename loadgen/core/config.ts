/** The generator's part of the settings. */
import { tierAddresses } from "../../services/settings/addresses.ts";
import { LOAD_KNOBS } from "../../services/settings/knobs/load.ts";
import { RUN_KNOBS } from "../../services/settings/knobs/run.ts";
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

/** What a knob's row names as its field needs no line here. */
export function loadConfigOf(values: Values): LoadConfig {
  return {
    ...values.fields(RUN_KNOBS),
    ...values.fields(LOAD_KNOBS),
    rateProfile: parseProfile(values.text("RATE_PROFILE")).steps,
    chain: tierAddresses(values.text("CHAIN")),
  };
}
