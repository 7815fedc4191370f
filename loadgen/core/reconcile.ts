/**
 * Whether all tiers tell the same story.
 *
 *     client requests  =  unsent + arrivals at the first tier + lost
 *     attempts         =  unsent + arrivals at the tier below + lost          at each hop
 *
 * "Lost" is what one side has sent and the other has never seen. Where it is not 0, the amplification is a guess.
 */

export interface TierCounts {
  readonly name: string;
  readonly arrivals: number;
  /** Calls begun to the tier below; 0 for the last. */
  readonly attempts: number;
  /** Of those, calls that never left. */
  readonly unsent: number;
}

export interface Reconciled {
  /** Client requests that were sent and that the first tier has not seen. */
  readonly clientLost: number;
  /** For each tier, its attempts that left and that the tier below has not seen; in the tiers' order. */
  readonly lost: readonly number[];
}

/** @param tiers from the client's side down */
export function reconcile(
  client: { readonly due: number; readonly unsent: number },
  tiers: readonly TierCounts[],
): Reconciled {
  const lost = tiers.map(({ attempts, unsent }, i) => {
    const below = tiers[i + 1];
    return below === undefined ? 0 : attempts - unsent - below.arrivals;
  });
  return { clientLost: client.due - client.unsent - (tiers[0]?.arrivals ?? 0), lost };
}
