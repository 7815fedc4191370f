/**
 * Retries as a share of the requests of the last few seconds.
 *
 *     in the last W seconds:  retries ≤ ratio · requests + minPerSecond · W
 *
 * The window is ten slices; the current slice and the nine before it count, and a slice is forgotten whole. Requests
 * and retries of one moment are forgotten at the same moment, so no request pays twice. All is computed from `now`: no
 * timer, and ten pairs of numbers however long it runs.
 *
 *     bound:  every W seconds hold at most one such window, so in N requests over T seconds from a fresh budget
 *             retries ≤ ratio · N + minPerSecond · W · (floor(T / W) + 1)
 *
 * What it costs: the credit of a whole window may go out in one moment. With a floor of 10/s, a ratio of 20 % and ten
 * seconds, an outage at 1,000 requests/s begins with 2,100 retries at once. `burst` and `start` do not apply.
 *
 * Sources: twitter/finagle RetryBudget and twitter/util WindowedAdder; Envoy `retry_budget.budget_interval`.
 */
import { ROUNDING } from "./bucket.ts";
import { windowMsOf, type Budget, type BudgetPolicy } from "./budget-types.ts";

const SLICES = 10;

export function slidingWindow(policy: BudgetPolicy, startedAt: number): Budget {
  const sliceMs = windowMsOf(policy) / SLICES;
  const floor = (policy.minPerSecond * windowMsOf(policy)) / 1000;
  const requests = new Float64Array(SLICES);
  const retries = new Float64Array(SLICES);
  let current = 0;
  let [requestSum, retrySum] = [0, 0];
  const forget = (slot: number): void => {
    requestSum -= requests[slot] ?? 0;
    retrySum -= retries[slot] ?? 0;
    requests[slot] = 0;
    retries[slot] = 0;
  };
  /** The slot of the slice in which `now` lies; a clock that goes back stays in the current one. */
  const slotAt = (now: number): number => {
    const slice = Math.max(current, Math.floor((now - startedAt) / sliceMs));
    for (let past = Math.max(current, slice - SLICES) + 1; past <= slice; past += 1) forget(past % SLICES);
    current = slice;
    return slice % SLICES;
  };
  const balance = (): number => Math.max(0, policy.ratio * requestSum + floor - retrySum);
  return {
    deposit(event, now) {
      if (event !== "request") return;
      const slot = slotAt(now);
      requests[slot] = (requests[slot] ?? 0) + 1;
      requestSum += 1;
    },
    tryWithdraw(now) {
      const slot = slotAt(now);
      if (balance() < 1 - ROUNDING) return false;
      retries[slot] = (retries[slot] ?? 0) + 1;
      retrySum += 1;
      return true;
    },
    balance(now) {
      slotAt(now);
      return balance();
    },
  };
}
