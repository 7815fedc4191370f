/**
 * An upstream for tests: it answers by a script after a latency, and notes what it was asked and what was cancelled.
 */
import { VirtualClock } from "../../virtual-time/clock.ts";
import { seededRng } from "../../policy/rng.ts";
import type { Reply } from "../../policy/outcome.ts";
import type { RetryPolicy } from "../../policy/retry-policy.ts";
import { createHop, type Hop } from "../core/hop.ts";
import type { HopReply, HopRequest, HopWatch, Send } from "../../contract/request.ts";

export const OK: Reply = { outcome: "ok", status: 200 };
export const FAILED: Reply = { outcome: "failed", status: 500 };
export const SILENT = "never answers";

export interface Sent {
  readonly request: HopRequest;
  readonly atMs: number;
  endedAtMs: number | undefined;
  cancelled: boolean;
}

/** What the `n`-th call (0, 1, …) is answered, after how many milliseconds. */
export type Script = (n: number, request: HopRequest) => { reply: Reply | typeof SILENT; afterMs: number };

export interface Upstream {
  readonly send: Send;
  readonly sent: Sent[];
  /** The most attempts that were running at one time. */
  mostAtOnce: number;
}

/** Answers every call with `reply` after `afterMs`. */
export const always =
  (reply: Reply | typeof SILENT, afterMs = 1): Script =>
  () => ({ reply, afterMs });

/** Answers the calls in turn; the last answer stands for all later calls. */
export const inTurn =
  (replies: readonly Reply[], afterMs = 1): Script =>
  (n) => ({
    reply: replies[Math.min(n, replies.length - 1)] ?? SILENT,
    afterMs,
  });

export function upstream(clock: VirtualClock, script: Script): Upstream {
  const sent: Sent[] = [];
  const running = new Set<Sent>();
  const made: Upstream = {
    sent,
    mostAtOnce: 0,
    send(request, done) {
      const { reply, afterMs } = script(sent.length, request);
      const call: Sent = { request, atMs: clock.now(), endedAtMs: undefined, cancelled: false };
      sent.push(call);
      running.add(call);
      made.mostAtOnce = Math.max(made.mostAtOnce, running.size);
      const end = (): void => {
        running.delete(call);
        call.endedAtMs = clock.now();
      };
      const undo =
        reply === SILENT
          ? () => {}
          : clock.after(afterMs, () => {
              end();
              done(reply);
            });
      return () => {
        if (call.endedAtMs !== undefined) return;
        end();
        call.cancelled = true;
        undo();
      };
    },
  };
  return made;
}

export function requestWith(changes: Partial<HopRequest> = {}): HopRequest {
  return { id: "o1", method: "GET", path: "/orders/o1", traceparent: "", attempt: 1, ...changes };
}

export interface Bench {
  readonly clock: VirtualClock;
  readonly up: Upstream;
  readonly hop: Hop;
  /** Answers in the order in which they came, with their times. */
  readonly answers: { reply: HopReply; atMs: number }[];
  /** Asks the hop; the returned function says that the caller has gone away. */
  readonly ask: (changes?: Partial<HopRequest>) => () => void;
}

/** One hop with `policy` above a scripted upstream, in virtual time. */
export function bench(policy: RetryPolicy, script: Script, watch: HopWatch = {}): Bench {
  const clock = new VirtualClock();
  const up = upstream(clock, script);
  const rngFor = ({ id }: HopRequest) => seededRng(1, id);
  const hop = createHop({ policy, clock, send: up.send, rngFor, watch });
  const answers: Bench["answers"] = [];
  const ask: Bench["ask"] = (changes) =>
    hop.handle(requestWith(changes), (reply) => answers.push({ reply, atMs: clock.now() }));
  return { clock, up, hop, answers, ask };
}

/** A hop as the upstream of another: what crosses between them is the header values, without latency. */
export function sendTo(hop: Hop): Send {
  return (request, done) => hop.handle(request, done);
}
