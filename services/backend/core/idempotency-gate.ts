/** What a write with a known idempotency key gets: the store of idempotency-store.ts, in front of the queue. */
import type { Cancel } from "../../policy/clock.ts";
import { DEDUP_TTL_MS, type BackendDefences } from "./config.ts";
import { IdempotencyStore, type DedupMode } from "./idempotency-store.ts";
import { discard } from "./job.ts";
import type { BackendReply, BackendRequest } from "./request.ts";

const LEFT: BackendReply = { outcome: "expired", status: 504 };

export class IdempotencyGate {
  private readonly mode: DedupMode;
  private readonly store: IdempotencyStore;

  constructor({ dedup = "off", dedupTtlMs = DEDUP_TTL_MS }: BackendDefences) {
    this.mode = dedup;
    this.store = new IdempotencyStore(dedupTtlMs);
  }

  /** The key to remember for `request`; undefined where nothing is remembered. */
  keyOf({ method, idempotencyKey }: BackendRequest): string | undefined {
    return method === "POST" && this.mode !== "off" ? idempotencyKey : undefined;
  }

  /** Answers a call whose key is known; undefined where its work is still to be done. */
  answer(request: BackendRequest, done: (reply: BackendReply) => void, now: number): Cancel | undefined {
    const key = this.keyOf(request);
    if (key === undefined) return undefined;
    const claim = this.store.claim(key, request.id, now);
    if (claim.kind === "first") return undefined;
    let hear = done;
    if (claim.kind === "done") done(claim.reply);
    else if (claim.kind === "misused") done({ outcome: "misused", status: 422 });
    else if (this.mode === "conflict") done({ outcome: "conflict", status: 409 });
    else this.store.wait(key, (reply) => hear(reply));
    return () => {
      hear = discard;
    };
  }

  /** The work for `key` has ended with `reply`. */
  settle(key: string | undefined, reply: BackendReply, now: number): void {
    if (key !== undefined) this.store.settle(key, reply, now);
  }

  /** Whoever was to do the work for `key` has left before it began. */
  abandon(key: string | undefined, now: number): void {
    this.settle(key, LEFT, now);
  }
}
