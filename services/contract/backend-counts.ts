/**
 * What the backend has counted since the run began.
 *
 *     arrivals = ok + failed + shed + expired + left + repeated + waiting + serving
 *     wasted calls = wasted + abandoned          (wastedCalls)
 */
export interface BackendCounts {
  arrivals: number;
  /** Served well. */
  ok: number;
  /** Served, with an injected error. */
  failed: number;
  /** Refused at once because the queue was full. */
  shed: number;
  /** Not served because the deadline had passed. */
  expired: number;
  /** Left the queue because the caller had gone. */
  left: number;
  /** Served (ok or failed) after the caller had gone. */
  wasted: number;
  /** Calls with a key that was known: they got the kept answer, waited for it, or got 409. */
  repeated: number;
  /** Served well, and the answer lost on its way. */
  lost: number;
  longestQueue: number;
  /** Side effects of writes. */
  effects: number;
  /** Side effects beyond the first for one intention. */
  duplicateEffects: number;
  /** Waiting for a token now. */
  waiting: number;
  /** Being served now. */
  serving: number;
  /** Of those that wait or are being served now: their caller has gone. */
  abandoned: number;
  /** Tokens in the throttle's bucket now. */
  tokens: number;
}

/**
 * Calls that kept their place in the backend after their caller had gone: those that it served all the same, and those
 * that it has not got round to yet.
 */
export const wastedCalls = ({ wasted, abandoned }: Pick<BackendCounts, "wasted" | "abandoned">): number =>
  wasted + abandoned;

export function emptyCounts(): BackendCounts {
  return {
    arrivals: 0,
    ok: 0,
    failed: 0,
    shed: 0,
    expired: 0,
    left: 0,
    wasted: 0,
    repeated: 0,
    lost: 0,
    longestQueue: 0,
    effects: 0,
    duplicateEffects: 0,
    waiting: 0,
    serving: 0,
    abandoned: 0,
    tokens: 0,
  };
}
