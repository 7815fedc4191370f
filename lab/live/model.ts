/**
 * What the live page shows, as one message; sent once a second, whole, so that a page that reconnects misses nothing.
 */
import type { Faults, LiveFault } from "../../services/contract/faults.ts";
import type { LatencyBand, Mark, StormPoint } from "../report/data/model.ts";

export interface LiveState {
  /** Seconds since the load began. */
  readonly nowS: number;
  readonly policy: string;
  readonly faults: LiveFaults;
  /** Client requests per second. */
  readonly rate: number;
  /** True while a trigger holds. */
  readonly triggered: boolean;
  /** The last 60 s, oldest first. */
  readonly storm: readonly StormPoint[];
  readonly bands: readonly LatencyBand[];
  readonly marks: readonly Mark[];
  /** Over the last 5 s; null before the first second. */
  readonly recent: {
    readonly amplification: number | null;
    readonly successRate: number | null;
    readonly p50: number | null;
    readonly p99: number | null;
  };
  /** The most backend calls for each request that the policy allows in steady state; null where nothing bounds it. */
  readonly bound: number | null;
}

/** The faults that the page has inputs for. */
export type LiveFaults = Pick<Faults, LiveFault["key"]>;

/** What a page starts with. */
export interface LiveSetup {
  readonly policies: readonly string[];
  readonly trigger: { readonly seconds: number; readonly faults: LiveFaults };
  readonly initial: LiveState;
}
