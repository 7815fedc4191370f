/** One request at a hop with admission: from its arrival to its answer, its wait included. */
import type { Cancel } from "../../policy/clock.ts";
import type { Reply } from "../../policy/outcome.ts";
import type { Admission, Applicant } from "./admission.ts";
import { answerCaller, CALLER_LEFT, SHED } from "./answer.ts";
import { Call } from "./retry-loop.ts";
import type { HopState } from "./state.ts";
import type { HopDone, HopReply, HopRequest } from "../../contract/request.ts";

/** As Hop.handle. The deadline and the time to the answer count from now, not from when the request comes in. */
export function admit(state: HopState, admission: Admission, request: HopRequest, done: HopDone): Cancel {
  const { clock, watch, policy } = state;
  const arrivedAt = clock.now();
  let call: Call | undefined;
  const endWithoutCall = (last: Reply, stop: "shed" | "not_retryable"): HopReply => {
    const reply = answerCaller(last, stop, 0);
    watch?.ended?.(request, reply.outcome, reply, clock.now() - arrivedAt);
    return reply;
  };
  const applicant: Applicant = {
    joinedAt: arrivedAt,
    attempt: request.attempt,
    state: "waiting",
    begin() {
      const answered: HopDone = (reply) => {
        done(reply);
        admission.leave(applicant);
      };
      call = new Call(state, request, answered, arrivedAt);
      call.begin();
    },
    shed() {
      done(endWithoutCall({ ...SHED, retryAfterMs: policy.admission?.retryAfterMs }, "shed"));
    },
  };
  admission.arrive(applicant);
  return () => {
    call?.abandon();
    if (call?.over === true) return admission.leave(applicant);
    // As in a call: a hop that does not follow its caller goes on.
    if (applicant.state !== "waiting" || policy.followCaller === false) return;
    admission.leave(applicant);
    endWithoutCall(CALLER_LEFT, "not_retryable");
  };
}
