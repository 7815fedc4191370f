/**
 * One client request as a tree: a call at a tier, the attempts that it made, and the calls that these were at the tier
 * below. All times are milliseconds from the start of the schedule.
 */
import type { Decision } from "../../services/policy/retry-decision.ts";
import type { Outcome, StopReason } from "../../services/policy/outcome.ts";

/** A request from its arrival at a tier to its answer. */
export interface CallTrace {
  readonly tier: string;
  readonly arrivedMs: number;
  /** Absent: it was still under way when the run ended. */
  endedMs?: number;
  /** `left`, of the backend alone: the caller had gone, and what the backend still did was wasted. */
  outcome?: Outcome | "left";
  /** Absent, or 0, where no answer was given. */
  status?: number;
  /** Why a hop made no further attempt. */
  stop?: StopReason;
  /** In the order in which they began; none at the backend. */
  readonly attempts: AttemptTrace[];
}

/** One attempt of a hop at the tier below it. */
export interface AttemptTrace {
  readonly hop: string;
  /** 1 = the first. */
  readonly number: number;
  readonly beganMs: number;
  /** Absent: it was still under way when the run ended. */
  endedMs?: number;
  outcome?: Outcome;
  /** Absent, or 0, where no answer came. */
  status?: number;
  /** The replica that was asked, where the hop chooses one. */
  readonly replica?: number;
  /** A second copy that runs beside the attempt before it. */
  readonly isCopy: boolean;
  /** What the policy made of how it ended; absent for a copy that was cancelled, or where the caller had gone. */
  decision?: Decision;
  /** Absent: it never left the hop. */
  below?: CallTrace;
}
