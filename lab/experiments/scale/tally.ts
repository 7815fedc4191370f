/** What is counted of a fleet: a few numbers for each instance, however many requests there are. */
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

  result() {
    const shares = Array.from(this.due, (due, i) => (due === 0 ? 1 : (this.ok[i] ?? 0) / due));
    const [due, ok] = [this.due, this.ok].map((all) => all.reduce((sum, one) => sum + one, 0));
    return {
      success: due === 0 ? 1 : (ok ?? 0) / (due ?? 1),
      worst: Math.min(...shares),
      retries: due === 0 ? 0 : this.retries / (due ?? 1),
      idle: this.refused === 0 ? 0 : this.refusedBesideIdle / this.refused,
      late: this.lateDue === 0 ? 1 : this.lateOk / this.lateDue,
    };
  }
}
