/**
 * The door of a hop: who comes in, who waits, who is shed. The policy is in policy/admission.ts.
 *
 * There is no timer: somebody comes in when somebody else leaves. A request whose deadline has passed while it waited
 * comes in all the same, and is answered at once without an attempt.
 */
import type { AdmissionPolicy } from "../../policy/admission.ts";
import type { Clock } from "../../policy/clock.ts";
import { Codel } from "../../policy/queue/codel.ts";
import { createConcurrencyLimit, type ConcurrencyLimit } from "../../policy/queue/concurrency-limit.ts";
import { createQueue, type Queue, type Queued } from "../../policy/queue/order.ts";

/** One request before the door, waiting, or inside. */
export interface Applicant extends Queued {
  state: "waiting" | "inside" | "gone";
  /** Its turn has come. */
  begin(): void;
  /** It is refused. */
  shed(): void;
}

/** So many places of callers who have left may lie in the queue, and as many more as there are callers. */
const LEFT_BEHIND = 64;

function limitOf({ kind, limit }: AdmissionPolicy): ConcurrencyLimit {
  return kind === "fixed" ? { limit: () => limit, ended: () => {} } : createConcurrencyLimit(kind);
}

export class Admission {
  private readonly policy: AdmissionPolicy;
  private readonly clock: Clock;
  private readonly limit: ConcurrencyLimit;
  private readonly line: Queue<Applicant>;
  private readonly codel = new Codel();
  private inside = 0;
  private lettingIn = false;
  /** Requests that wait; those who have left are not among them. */
  waiting = 0;

  constructor(policy: AdmissionPolicy, clock: Clock) {
    this.policy = policy;
    this.clock = clock;
    this.limit = limitOf(policy);
    this.line = createQueue(policy.order);
  }

  /** Calls one of the visitor's functions, now or later, unless it leaves before. */
  arrive(visitor: Applicant): void {
    if (this.waiting === 0 && this.inside < this.limit.limit()) this.letIn(visitor);
    else if (this.waiting >= this.policy.queue) this.refuse(visitor);
    else {
      this.waiting += 1;
      this.line.push(visitor);
    }
  }

  /** The visitor has its answer, or does not want one any more. A second time changes nothing. */
  leave(visitor: Applicant): void {
    const { state } = visitor;
    visitor.state = "gone";
    if (state === "waiting") {
      this.waiting -= 1;
      if (this.line.length > 2 * this.waiting + LEFT_BEHIND)
        this.line.retain((one) => one.state === "waiting");
    } else if (state === "inside") {
      this.limit.ended(this.clock.now() - visitor.joinedAt, this.waiting + this.inside);
      this.inside -= 1;
      this.letNextIn();
    }
  }

  private letIn(visitor: Applicant): void {
    this.inside += 1;
    visitor.state = "inside";
    visitor.begin();
  }

  private refuse(visitor: Applicant): void {
    visitor.state = "gone";
    visitor.shed();
  }

  /** Whoever comes in may leave in the same moment: the one loop that runs goes on, instead of one within the other. */
  private letNextIn(): void {
    if (this.lettingIn) return;
    this.lettingIn = true;
    const now = this.clock.now();
    while (this.waiting > 0 && this.inside < this.limit.limit()) {
      const next = this.line.shift(now);
      if (next === undefined) break;
      if (next.state !== "waiting") continue;
      this.waiting -= 1;
      const drops = this.policy.codel && this.codel.drops(now - next.joinedAt, this.waiting > 0, now);
      if (drops) this.refuse(next);
      else this.letIn(next);
    }
    this.lettingIn = false;
  }
}
