/** One request at a hop with admission: from its arrival to its answer, its wait included. */
import type { Cancel } from "../../policy/clock.ts";
import { deadlineAt } from "../../policy/deadline.ts";
import type { Reply, StopReason } from "../../policy/outcome.ts";
import type { Admission, Applicant } from "./admission.ts";
import { answerCaller, CALLER_LEFT, OUT_OF_TIME, SHED } from "./answer.ts";
import { Call } from "./retry-loop.ts";
import type { HopState } from "./state.ts";
import type { HopDone, HopReply, HopRequest } from "../../contract/request.ts";

class Entrant implements Applicant {
  state: Applicant["state"] = "waiting";
  readonly joinedAt: number;
  readonly attempt: number;
  private readonly hop: HopState;
  private readonly admission: Admission;
  private readonly request: HopRequest;
  private readonly done: HopDone;
  private call: Call | undefined;
  private cancelTimer: Cancel = () => {};

  constructor(hop: HopState, admission: Admission, request: HopRequest, done: HopDone) {
    this.hop = hop;
    this.admission = admission;
    this.request = request;
    this.done = done;
    this.joinedAt = hop.clock.now();
    this.attempt = request.attempt;
  }

  arrive(): void {
    this.admission.arrive(this);
    const deadline = deadlineAt(this.joinedAt, this.hop.policy.deadlineMs, this.request.remainingMs);
    if (!this.isWaiting() || deadline === Infinity) return;
    // Whoever is never taken on would otherwise wait for as long as the caller does.
    this.cancelTimer = this.hop.clock.after(deadline - this.joinedAt, () => {
      this.admission.leave(this);
      this.done(this.ended(OUT_OF_TIME, "deadline_too_near"));
    });
  }

  begin(): void {
    this.cancelTimer();
    const answered: HopDone = (reply) => {
      this.done(reply);
      this.admission.leave(this);
    };
    this.call = new Call(this.hop, this.request, answered, this.joinedAt);
    this.call.begin();
  }

  shed(): void {
    this.cancelTimer();
    this.done(this.ended({ ...SHED, retryAfterMs: this.hop.policy.admission?.retryAfterMs }, "shed"));
  }

  abandon(): void {
    this.call?.abandon();
    if (this.call?.over === true) return this.admission.leave(this);
    // As in a call: a hop that does not follow its caller goes on.
    if (!this.isWaiting() || this.hop.policy.followCaller === false) return;
    this.cancelTimer();
    this.admission.leave(this);
    this.ended(CALLER_LEFT, "not_retryable");
  }

  /** Others change the state meanwhile, which the compiler does not expect of a field. */
  private isWaiting(): boolean {
    return this.state === "waiting";
  }

  /** Its answer where nothing was tried. */
  private ended(last: Reply, stop: StopReason): HopReply {
    const reply = answerCaller(last, stop, 0);
    this.hop.watch?.ended?.(this.request, reply.outcome, reply, this.hop.clock.now() - this.joinedAt);
    return reply;
  }
}

/** As Hop.handle. The deadline and the time to the answer count from now, not from when the request comes in. */
export function admit(hop: HopState, admission: Admission, request: HopRequest, done: HopDone): Cancel {
  const entrant = new Entrant(hop, admission, request, done);
  entrant.arrive();
  return () => entrant.abandon();
}
