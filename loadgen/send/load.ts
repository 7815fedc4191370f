/** What every way of sending a load has in common: open.ts and closed.ts are the two there are. */
import type { Clock } from "../../services/policy/clock.ts";
import type { Attack, OnRecord } from "./attack.ts";
import type { LoadConfig } from "../core/config.ts";

/** Sends the load, in whatever way, until it is over or `stop` is aborted. */
export type Load = (run: LoadRun) => Promise<void>;

export interface LoadRun {
  readonly config: LoadConfig;
  readonly clock: Clock;
  readonly attack: Attack;
  readonly stop: AbortSignal;
  readonly onStart: (startMs: number) => void;
  readonly onDue: () => void;
  readonly onRecord: OnRecord;
}
