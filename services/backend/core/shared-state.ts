/** What the replicas of one backend have in common: the database behind them, and the faults of each order. */
import type { Clock } from "../../policy/clock.ts";
import type { BackendConfig } from "./config.ts";
import { BoundedCounts, Ledger } from "./ledger.ts";
import { IdempotencyGate } from "./idempotency-gate.ts";
import { Ties } from "./ties.ts";

export interface Shared {
  /** How often an order has been served, whichever replica did it: policies meet the same faults. */
  readonly visits: BoundedCounts;
  readonly ledger: Ledger;
  readonly ties: Ties;
  idempotency: IdempotencyGate;
}

export function createShared(config: BackendConfig, clock: Clock): Shared {
  return {
    visits: new BoundedCounts(),
    ledger: new Ledger(),
    ties: new Ties(clock, config.tieCancelMs ?? 0),
    idempotency: new IdempotencyGate(config),
  };
}
