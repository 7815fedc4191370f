/**
 * A hop's admission: which request is taken on, which waits, which is shed. The policy is in policy/admission.ts.
 *
 * There is no timer: a request is admitted when another one ends. A request whose deadline has passed while it waited
 * is admitted all the same, and is answered at once without an attempt.
 */
import type { AdmissionPolicy } from "../../policy/admission.ts";
import type { Reply } from "../../policy/outcome.ts";
import type { Clock } from "../../policy/clock.ts";
import { Codel } from "../../policy/queue/codel.ts";
import { ThroughputLimit } from "../../policy/queue/throughput-limit.ts";
import { createConcurrencyLimit, type ConcurrencyLimit } from "../../policy/queue/concurrency-limit.ts";
import { createQueue, type Queue, type Queued } from "../../policy/queue/order.ts";

/** One request that asks to be admitted, waits, or has been admitted. */
export interface Applicant extends Queued {
  state: "waiting" | "inside" | "gone";
  /** When it was taken on. */
  admittedAt?: number;
  /** Its turn has come. */
  begin(): void;
  /** It is refused. */
  shed(): void;
}

/** The most entries of callers who have left that stay in the queue, on top of twice the number of those who wait. */
const LEFT_BEHIND = 64;

/** What the limit learns from: how long those inside took, or what the callee has served meanwhile. */
type Limit = Partial<Pick<ConcurrencyLimit, "ended"> & Pick<ThroughputLimit, "attemptEnded">> &
  Pick<ConcurrencyLimit, "limit">;

function limitOf({ kind, limit }: AdmissionPolicy): Limit {
  if (kind === "throughput") return new ThroughputLimit();
  return kind === "fixed" ? { limit: () => limit } : createConcurrencyLimit(kind);
}

export class Admission {
  private readonly policy: AdmissionPolicy;
  private readonly clock: Clock;
  private readonly limit: Limit;
  private readonly queue: Queue<Applicant>;
  private readonly codel = new Codel();
  private inside = 0;
  private isAdmitting = false;
  /** Requests that wait; those who have left are not among them. */
  waiting = 0;

  constructor(policy: AdmissionPolicy, clock: Clock) {
    this.policy = policy;
    this.clock = clock;
    this.limit = limitOf(policy);
    this.queue = createQueue(policy.order);
  }

  /** Calls `begin` or `shed` of the applicant, now or later, unless it leaves before. */
  arrive(applicant: Applicant): void {
    if (this.waiting === 0 && this.inside < this.limit.limit()) this.admit(applicant);
    else if (this.waiting >= this.policy.queue) this.refuse(applicant);
    else {
      this.waiting += 1;
      this.queue.push(applicant);
    }
  }

  /** The applicant has its answer, or its caller has gone. A second time changes nothing. */
  leave(applicant: Applicant): void {
    const { state } = applicant;
    applicant.state = "gone";
    if (state === "waiting") {
      this.waiting -= 1;
      if (this.queue.length > 2 * this.waiting + LEFT_BEHIND) this.queue.retain((one) => one.state === "waiting");
    } else if (state === "inside") {
      // Its wait is this hop's own doing: a limit that learned from it would fall because it is low.
      const { admittedAt = applicant.joinedAt } = applicant;
      this.limit.ended?.(this.clock.now() - admittedAt, this.waiting + this.inside);
      this.inside -= 1;
      this.admitNext();
    }
  }

  /** An attempt of a request inside has ended. */
  attemptEnded({ outcome, status }: Reply): void {
    // Quickly refused is not served, and neither is what nobody waited for.
    const isServed = outcome === "ok" || outcome === "rejected" || (outcome === "failed" && status !== 504);
    this.limit.attemptEnded?.(isServed, this.clock.now(), this.waiting > 0);
    // The limit may have grown.
    this.admitNext();
  }

  private admit(applicant: Applicant): void {
    this.inside += 1;
    applicant.state = "inside";
    applicant.admittedAt = this.clock.now();
    applicant.begin();
  }

  private refuse(applicant: Applicant): void {
    applicant.state = "gone";
    applicant.shed();
  }

  /** An admitted request may end in the same moment: the loop that runs goes on, instead of one within the other. */
  private admitNext(): void {
    if (this.isAdmitting) return;
    this.isAdmitting = true;
    const now = this.clock.now();
    while (this.waiting > 0 && this.inside < this.limit.limit()) {
      const next = this.queue.shift(now);
      if (next === undefined) break;
      if (next.state !== "waiting") continue;
      this.waiting -= 1;
      const drops = this.policy.codel && this.codel.drops(now - next.joinedAt, this.waiting > 0, now);
      if (drops) this.refuse(next);
      else this.admit(next);
    }
    this.isAdmitting = false;
  }
}
