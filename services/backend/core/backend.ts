/** What a backend offers, with one replica or several. */
import type { BackendDefences } from "./config.ts";
import type { BackendCounts } from "../../contract/backend-counts.ts";
import type { FaultsSince } from "./faults-in-force.ts";
import type { Faults } from "../../contract/faults.ts";
import type { Serve } from "./request.ts";

export interface Backend {
  readonly serve: Serve;
  faults(): Faults;
  change(change: Partial<Faults>): void;
  /** Changes the defences from the next arrival on; faults, queue and counters stay as they are. */
  configure(defences: BackendDefences): void;
  /**
   * Begins a run: counters at zero, bucket full, timeline from its start, random numbers of `seed`. The queue must be
   * empty.
   */
  begin(seed: number): void;
  counts(): BackendCounts;
  /** The faults in force since the run began, oldest first; at most 1,000 changes are kept. */
  faultsHistory(): readonly FaultsSince[];
}
