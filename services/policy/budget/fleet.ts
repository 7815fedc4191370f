/**
 * One retry budget for all instances of a hop: leases out of a shared bucket.
 *
 * A budget of its own for each instance multiplies with their number whatever in it is not a share of the traffic: the
 * start level, the burst and the floor. It also strands what healthy instances earn, where one instance alone meets the
 * failures. A shared budget has neither fault, but it lives behind a network, and a retry loop that waits for a store
 * has one more thing that can hang. So no decision waits: an instance takes a few retries out of the shared bucket
 * beforehand (a lease), spends them from its memory, and asks for more in passing, with what its requests have earned.
 *
 *     shared bucket   0 ≤ left ≤ burst; + deposits + minPerSecond · Δt − leases
 *     an instance     retries made while the store answers ≤ retries leased
 *     store is gone   leases run out, then at most floorPerSecond: it fails closed
 *
 *     so in N requests over T seconds, on k instances:
 *                     retries ≤ (start + ratio · N) / cost + minPerSecond · T + k · floorPerSecond · T
 *
 * What is in doubt is lost, never spent twice: a question without an answer takes its deposit along, and what the store
 * may have leased for it. After one of those the store is first asked for nothing, so that one which stands still finds
 * no leases in its inbox when it goes on. What it costs: up to `lease` retries lie idle at each instance, and come on
 * top of the burst that may go out at once.
 *
 * Sources: leases as in Gray and Cheriton, "Leases" (SOSP 1989), here of amounts instead of time, as YouTube's Doorman
 * and Envoy's rate limit quota service hand them out.
 */
import { costOf, countedBy, mostTokens, startLevel } from "./bucket.ts";
import { Floor } from "./fleet-floor.ts";
import type { Budget, BudgetPolicy, FleetTerms } from "./budget-types.ts";
import type { Clock } from "../clock.ts";

/** The terms of the shared bucket, all in retries. */
export interface SharedTerms {
  readonly most: number;
  readonly start: number;
  readonly perSecond: number;
}

/** A question to the shared bucket, in retries: take `deposit` in, then lease out at most `want`, a whole number. */
export interface LeaseRequest {
  readonly deposit: number;
  readonly want: number;
  /** Whether this instance has had an answer before: then a store that knows nothing has forgotten, and starts at 0. */
  readonly known: boolean;
}

export interface Lease {
  /** A whole number, 0 to `want`. */
  readonly granted: number;
  /** What the shared bucket holds after that. */
  readonly left: number;
}

/** Asks the store and calls `done` once: with undefined where it did not answer in time. */
export type AskStore = (request: LeaseRequest, done: (lease: Lease | undefined) => void) => void;

export const LEASE_ANSWERS = ["granted", "empty", "none"] as const;
export const RETRY_SOURCES = ["lease", "floor"] as const;

/** Hears what a shared budget does. */
export interface FleetWatch {
  /** The store leased something, had nothing to lease (or was asked for nothing), or did not answer. */
  asked(answer: (typeof LEASE_ANSWERS)[number], granted: number): void;
  /** A retry was paid for. */
  spent(source: (typeof RETRY_SOURCES)[number]): void;
}

/** An instance asks at most this often, in milliseconds; and less and less often while nobody answers. */
const ASK_EVERY_MS = 20;
const ASK_THE_DEAD_EVERY_MS = 1000;

export function sharedTerms(policy: BudgetPolicy): SharedTerms {
  const cost = costOf(policy);
  const [most, start] = [mostTokens(policy) / cost, startLevel(policy) / cost];
  return { most, start, perSecond: policy.minPerSecond };
}

/** One instance's part of a shared budget. */
export class FleetBudget implements Budget {
  private readonly shared: SharedTerms;
  private readonly lease: number;
  private readonly floor: Floor;
  private readonly counted: "request" | "success";
  /** Retries that one counted event earns. */
  private readonly earns: number;
  private readonly ask: AskStore;
  private readonly clock: Pick<Clock, "now">;
  private readonly watch: FleetWatch | undefined;
  private leased = 0;
  /** Earned and not yet handed over. */
  private owed = 0;
  private isAsking = false;
  private hasHeard = false;
  /** Questions in a row without an answer. */
  private unanswered = 0;
  private nextAskAt = -Infinity;

  /** @param terms the policy's own */
  constructor(
    policy: BudgetPolicy,
    terms: FleetTerms,
    { ask, clock, watch }: { ask: AskStore; clock: Pick<Clock, "now">; watch?: FleetWatch },
  ) {
    this.shared = sharedTerms(policy);
    this.lease = terms.lease;
    this.floor = new Floor(terms.floorPerSecond);
    this.counted = countedBy(policy);
    this.earns = policy.ratio / costOf(policy);
    this.ask = ask;
    this.clock = clock;
    this.watch = watch;
    this.renew(clock.now());
  }

  deposit(event: "request" | "success", now: number): void {
    if (event === this.counted) this.owed = Math.min(this.shared.most, this.owed + this.earns);
    this.renew(now);
  }

  tryWithdraw(now: number): boolean {
    const source = this.leased >= 1 ? "lease" : this.floor.take(now) ? "floor" : undefined;
    if (source === "lease") this.leased -= 1;
    if (source !== undefined) this.watch?.spent(source);
    this.renew(now);
    return source !== undefined;
  }

  balance(now: number): number {
    return this.leased + this.floor.balance(now);
  }

  private renew(now: number): void {
    if (this.isAsking || now < this.nextAskAt) return;
    const isDoubtful = this.unanswered > 0;
    const want = isDoubtful ? 0 : Math.max(0, this.lease - this.leased);
    const deposit = isDoubtful ? 0 : this.owed;
    if (want === 0 && deposit === 0 && !isDoubtful) return;
    this.isAsking = true;
    this.owed -= deposit;
    this.nextAskAt = now + ASK_EVERY_MS;
    this.ask({ deposit, want, known: this.hasHeard }, (lease) => this.answered(lease));
  }

  private answered(lease: Lease | undefined): void {
    const now = this.clock.now();
    this.isAsking = false;
    if (lease === undefined) {
      this.unanswered += 1;
      this.nextAskAt = now + Math.min(ASK_THE_DEAD_EVERY_MS, ASK_EVERY_MS * 2 ** this.unanswered);
      this.floor.open(now);
      this.watch?.asked("none", 0);
      return;
    }
    const wasDoubtful = this.unanswered > 0;
    this.unanswered = 0;
    this.hasHeard = true;
    this.leased += lease.granted;
    this.floor.close(now);
    this.watch?.asked(lease.granted > 0 ? "granted" : "empty", lease.granted);
    if (!wasDoubtful) return;
    this.nextAskAt = now;
    this.renew(now);
  }
}
