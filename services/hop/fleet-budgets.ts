/** A hop's shared budgets: policy/budget/fleet.ts with Redis below it, and what it does as metrics and log lines. */
import { FleetBudget, LEASE_ANSWERS, RETRY_SOURCES, sharedTerms, type FleetWatch } from "../policy/budget/fleet.ts";
import type { Budget, BudgetPolicy } from "../policy/budget/budget.ts";
import type { Clock } from "../policy/clock.ts";
import { ConfigError } from "../settings/known-error.ts";
import type { LeaseStore } from "./lease-store.ts";
import type { AwayStats } from "../contract/stats.ts";
import { AwayTally } from "../telemetry/away-tally.ts";
import type { Logger } from "../telemetry/log.ts";
import { METRICS } from "../telemetry/metric-names.ts";
import type { Metrics } from "../telemetry/metrics.ts";

/** What a shared budget needs of a store. */
export type BudgetStore = Pick<LeaseStore, "asker" | "close" | "fault">;

export interface FleetBudgetsParts {
  /** The hop's name: all its instances share a budget. */
  readonly hop: string;
  /** Absent where no policy shares one. */
  readonly store: BudgetStore | undefined;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly clock: Clock;
}

export interface SharedBudgets {
  /** A run begins. Instances that name the same run share its budgets, the first with the first and so on. */
  begin(run: string): void;
  /**
   * A fresh budget where `policy` shares one, undefined where it does not.
   * @throws ConfigError where there is no store to share it in
   */
  fresh(policy: BudgetPolicy): Budget | undefined;
  /** Nothing where the policy shares none. */
  stats(): { readonly store?: AwayStats };
}

function watchOf({ metrics, log, store }: FleetBudgetsParts, tally: AwayTally): FleetWatch {
  const answers = metrics.counter(METRICS.fleetAnswers, "answer", LEASE_ANSWERS);
  const leased = metrics.plainCounter(METRICS.fleetLeased);
  const retries = metrics.counter(METRICS.fleetRetries, "source", RETRY_SOURCES);
  let isAway = false;
  metrics.gauge(METRICS.fleetAway, () => (isAway ? 1 : 0));
  return {
    asked(answer, granted) {
      if (answer === "none") tally.silent();
      else tally.answered();
      answers[answer]();
      for (let n = 0; n < granted; n += 1) leased();
      if (isAway === (answer === "none")) return;
      isAway = !isAway;
      const reason = store?.fault();
      if (isAway)
        log.warn({ reason }, "the budget store does not answer: leases run out, then there is only the floor");
      else log.warn("the budget store answers again");
    },
    spent: (source) => retries[source](),
  };
}

export function sharedBudgets(parts: FleetBudgetsParts): SharedBudgets {
  const { hop, store, clock } = parts;
  const tally = new AwayTally(clock);
  const watch = watchOf(parts, tally);
  let [run, made, isShared] = ["before", 0, false];
  return {
    begin(name) {
      [run, made] = [name, 0];
      tally.begin();
    },
    fresh(policy) {
      if (policy.fleet !== undefined && store === undefined) {
        throw new ConfigError([
          `BUDGET_SCOPE=fleet needs a store for the budget: set BUDGET_STORE_URL before ${hop} starts.`,
        ]);
      }
      made += 1;
      isShared = policy.fleet !== undefined;
      if (policy.fleet === undefined || store === undefined) return undefined;
      const ask = store.asker(`retry-storm-testbed:${hop}:${run}:${made}`, sharedTerms(policy));
      return new FleetBudget(policy, policy.fleet, { ask, clock, watch });
    },
    stats: () => (isShared ? { store: tally.stats() } : {}),
  };
}
