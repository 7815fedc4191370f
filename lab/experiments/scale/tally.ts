/** What is counted of a fleet: a few numbers for each instance, however many requests there are. */
import { ratioOf } from "../../../loadgen/core/ratio.ts";
import type { HopWatch } from "../../../services/contract/request.ts";
import type { Budget } from "../../../services/policy/budget/budget.ts";

export interface IncidentSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

const within = ({ fromMs, toMs }: IncidentSpan, atMs: number): boolean => atMs >= fromMs && atMs < toMs;

export class FleetTally {
  private readonly during: IncidentSpan;
  private readonly late: IncidentSpan;
  private readonly due: Float64Array;
  private readonly ok: Float64Array;
  private lateDue = 0;
  private lateOk = 0;
  private retries = 0;
  private refused = 0;
  private refusedBesideIdle = 0;

  constructor(instances: number, { during, late }: { readonly during: IncidentSpan; readonly late: IncidentSpan }) {
    this.during = during;
    this.late = late;
    this.due = new Float64Array(instances);
    this.ok = new Float64Array(instances);
  }

  asked(instance: number, atMs: number): void {
    if (within(this.during, atMs)) this.due[instance] = (this.due[instance] ?? 0) + 1;
    if (within(this.late, atMs)) this.lateDue += 1;
  }

  /** @param atMs when the request was due, not when it was answered */
  served(instance: number, atMs: number): void {
    if (within(this.during, atMs)) this.ok[instance] = (this.ok[instance] ?? 0) + 1;
    if (within(this.late, atMs)) this.lateOk += 1;
  }

  /** Counts what `instance` decides. A refusal is needless where another instance could have paid. */
  watch(instance: number, budgets: readonly Budget[], now: () => number): HopWatch {
    return {
      decided: (_, decision) => {
        const atMs = now();
        if (!within(this.during, atMs)) return;
        if (decision.retry) this.retries += 1;
        else if (decision.reason === "budget_exhausted") {
          this.refused += 1;
          const couldPay = budgets.some((budget, i) => i !== instance && budget.balance(atMs) >= 1);
          if (couldPay) this.refusedBesideIdle += 1;
        }
      },
    };
  }

  /** null where there was nothing to take a share of. */
  result() {
    const shares = Array.from(this.due, (due, i) => ratioOf(this.ok[i] ?? 0, due)).filter((share) => share !== null);
    const total = (all: Float64Array): number => all.reduce((sum, one) => sum + one, 0);
    const due = total(this.due);
    return {
      success: ratioOf(total(this.ok), due),
      worst: shares.length === 0 ? null : Math.min(...shares),
      retries: ratioOf(this.retries, due),
      idle: ratioOf(this.refusedBesideIdle, this.refused),
      late: ratioOf(this.lateOk, this.lateDue),
    };
  }
}
