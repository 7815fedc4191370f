/** One attempt: one request at the upstream, from its start to its reply. */
import type { Cancel, Rng } from "../../policy/clock.ts";
import { isInProgress, type Reply } from "../../policy/outcome.ts";
import type { HopState } from "./state.ts";
import type { HopRequest } from "../../contract/request.ts";

/** Hears of an attempt's reply, once; not of one that was given up. */
export interface AttemptOwner {
  attemptEnded(attempt: Attempt, reply: Reply): void;
}

const nothing: Cancel = () => {};

export class Attempt {
  readonly sent: HopRequest;
  readonly startedAt: number;
  running = true;
  private readonly hop: HopState;
  /** What the breaker let it through with. */
  private readonly ticket: number;
  private readonly rng: Rng;
  private cancelSend = nothing;

  constructor(hop: HopState, sent: HopRequest, startedAt: number, ticket: number, rng: Rng) {
    this.hop = hop;
    this.sent = sent;
    this.startedAt = startedAt;
    this.ticket = ticket;
    this.rng = rng;
  }

  begin(owner: AttemptOwner): void {
    this.hop.watch?.attemptStarted?.(this.sent);
    this.hop.budget.hear?.("begun", this.startedAt);
    this.cancelSend = this.hop.send(this.sent, (reply) => {
      // A transport that answers what was given up is too late.
      if (!this.running) return;
      const seen = this.seen(reply);
      this.settle(seen);
      owner.attemptEnded(this, seen);
    });
  }

  /** Cancels it, if it still runs; it is reported as ended with `reply`. */
  giveUp(reply: Reply): void {
    if (!this.running) return;
    this.cancelSend();
    this.settle(reply);
  }

  /** The transport knows a status, this attempt what it was asked for. */
  private seen(reply: Reply): Reply {
    const { method, idempotencyKey } = this.sent;
    const isKeyedWrite = method === "POST" && idempotencyKey !== undefined;
    return isInProgress(reply.status, isKeyedWrite) ? { ...reply, outcome: "failed" } : reply;
  }

  private settle(reply: Reply): void {
    const { clock, circuit, budget, watch, replicas, hedger } = this.hop;
    this.running = false;
    this.cancelSend = nothing;
    const now = clock.now();
    circuit.end(this.ticket, reply, now, this.rng);
    budget.hear?.("ended", now);
    hedger?.heard(reply, now);
    if (replicas !== undefined && this.sent.replica !== undefined) {
      replicas.heard(this.sent.replica, reply, now);
    }
    watch?.attemptEnded?.(this.sent, reply, now - this.startedAt);
  }
}
