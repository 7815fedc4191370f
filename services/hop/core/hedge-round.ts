/**
 * One round of a hedging hop: an attempt and at most one second copy of it, of which the better answer counts.
 *
 * The first good answer wins, and the other copy is cancelled. A copy that failed waits for the other one. To the retry
 * loop a round is what an attempt is to a hop that does not hedge: rounds × 2 is all that can go out, and the hedge
 * budget keeps the second copies rare.
 */
import type { Cancel } from "../../policy/clock.ts";
import type { Hedger } from "../../policy/hedge/hedge.ts";
import type { Reply } from "../../policy/outcome.ts";
import type { Attempt, AttemptOwner } from "./attempt.ts";
import type { HopState } from "./state.ts";
import type { HopRequest } from "../../contract/request.ts";

/** Whose round it is. */
export interface RoundOwner extends AttemptOwner {
  /** As it arrived. */
  readonly request: HopRequest;
  /**
   * A new attempt, numbered and not yet begun, at another replica than the one before it.
   * @param original of which it is a second copy
   * @param tied whether the replicas are to settle among themselves which of the two copies is served
   */
  nextAttempt(original: Attempt | undefined, tied: boolean): Attempt;
}

const nothing: Cancel = () => {};

const LOST: Reply = { outcome: "cancelled", status: 499 };

/** A copy that another replica took out of its queue is answered 409, which says nothing about the request. */
function better(reply: Reply, earlier: Reply | undefined): Reply {
  return reply.outcome === "rejected" && earlier !== undefined ? earlier : reply;
}

export class Round implements AttemptOwner {
  private readonly hop: HopState;
  private readonly hedger: Hedger;
  private readonly owner: RoundOwner;
  private readonly original: Attempt;
  private readonly isTied: boolean;
  private copy: Attempt | undefined;
  /** The answer, not a good one, of the copy that ended first. */
  private earlier: Reply | undefined;
  private cancelTimer = nothing;

  constructor(hop: HopState, hedger: Hedger, owner: RoundOwner) {
    this.hop = hop;
    this.hedger = hedger;
    this.owner = owner;
    this.isTied = hedger.tied && this.mayCopy();
    this.original = owner.nextAttempt(undefined, this.isTied);
  }

  /** The original as it went out. */
  get sent(): Attempt["sent"] {
    return this.original.sent;
  }

  begin(): void {
    this.original.begin(this);
    if (this.isTied) return this.sendCopy();
    const delayMs = this.hedger.tied ? undefined : this.hedger.delayMs();
    if (delayMs === undefined) return;
    this.cancelTimer = this.hop.clock.after(delayMs, () => this.hedge());
  }

  /** Cancels whatever still runs; it is reported as ended with `reply`. */
  giveUp(reply: Reply): void {
    this.cancelTimer();
    if (reply.outcome === "timeout") this.observe(reply);
    this.original.giveUp(reply);
    this.copy?.giveUp(reply);
  }

  attemptEnded(attempt: Attempt, reply: Reply): void {
    this.cancelTimer();
    const isCopy = attempt === this.copy;
    const other = isCopy ? this.original : this.copy;
    if (!isCopy) this.observe(reply);
    if (other?.running === true) {
      if (reply.outcome !== "ok") {
        this.earlier = reply;
        return;
      }
      if (isCopy) this.observe(LOST);
      other.giveUp(LOST);
    }
    if (isCopy && reply.outcome === "ok") this.hop.watch?.hedged?.(attempt.sent, "won");
    this.owner.attemptEnded(attempt, better(reply, this.earlier));
  }

  private hedge(): void {
    if (this.mayCopy()) this.sendCopy();
  }

  private sendCopy(): void {
    this.copy = this.owner.nextAttempt(this.original, this.isTied);
    this.hop.watch?.hedged?.(this.copy.sent, "sent");
    this.copy.begin(this);
  }

  private mayCopy(): boolean {
    const { circuit, clock, watch } = this.hop;
    const answer = this.hedger.ask(circuit.state === "closed", clock.now());
    if (answer === "sent") return true;
    watch?.hedged?.(this.owner.request, answer);
    return false;
  }

  private observe(reply: Reply): void {
    this.hedger.originalEnded(reply, this.hop.clock.now() - this.original.startedAt);
  }
}
