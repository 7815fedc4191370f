/**
 * The same intention twice, done once: the store of idempotency keys.
 *
 *     first call with a key      → does the work; its answer is kept for the time to live
 *     again, work still going on → waits for the first one's answer, or gets 409 at once (`conflict`)
 *     again, work done           → gets the kept answer; no second effect
 *     again, work failed         → is a first call: nothing was done, so trying again is what the key is for
 *     again, for another request → is refused (`misused`), done or not: a key stands for one intention
 *     again, after the time to live → is a first call: the work is done once more, and the ledger counts a duplicate
 *
 * Ages are computed from `now`, and the store is bounded: the oldest key goes first.
 *
 * Source: IETF draft-ietf-httpapi-idempotency-key-header-07, section 2.
 */
import type { BackendReply } from "./request.ts";

export const DEDUP_MODES = ["off", "wait", "conflict"] as const;
export type DedupMode = (typeof DEDUP_MODES)[number];

const REMEMBERED = 65_536;

/** `of`: the request that the key stands for. */
type Entry = { readonly of: string } & (
  | { readonly kind: "running"; readonly waiters: ((reply: BackendReply) => void)[] }
  | { readonly kind: "done"; readonly reply: BackendReply; readonly until: number }
);

export type Claim =
  /** Do the work, and tell the store how it ended. */
  | { readonly kind: "first" }
  | { readonly kind: "running" }
  | { readonly kind: "done"; readonly reply: BackendReply }
  /** The key was given to another request. */
  | { readonly kind: "misused" };

export class IdempotencyStore {
  private readonly entries = new Map<string, Entry>();
  private readonly ttlMs: number;

  /** @param ttlMs how long an answer is kept, more than 0 */
  constructor(ttlMs: number) {
    this.ttlMs = ttlMs;
  }

  /** What a call with `key` at `now` has to do. @param of the request that it is made for, such as the order's id */
  claim(key: string, of: string, now: number): Claim {
    const entry = this.entries.get(key);
    if (entry !== undefined && (entry.kind === "running" || now < entry.until)) {
      if (entry.of !== of) return { kind: "misused" };
      return entry.kind === "running" ? { kind: "running" } : { kind: "done", reply: entry.reply };
    }
    this.entries.delete(key);
    this.makeRoom();
    this.entries.set(key, { of, kind: "running", waiters: [] });
    return { kind: "first" };
  }

  /** Hands the answer of the call that runs with `key` to `waiter` too. */
  wait(key: string, waiter: (reply: BackendReply) => void): void {
    const entry = this.entries.get(key);
    if (entry?.kind === "running") entry.waiters.push(waiter);
  }

  /** The call that ran with `key` has ended with `reply`; only a good answer is kept. */
  settle(key: string, reply: BackendReply, now: number): void {
    const entry = this.entries.get(key);
    this.entries.delete(key);
    if (entry !== undefined && reply.outcome === "ok")
      this.entries.set(key, { of: entry.of, kind: "done", reply, until: now + this.ttlMs });
    if (entry?.kind === "running") for (const waiter of entry.waiters) waiter(reply);
  }

  private makeRoom(): void {
    if (this.entries.size < REMEMBERED) return;
    for (const [key, { kind }] of this.entries) {
      if (kind !== "done") continue;
      this.entries.delete(key);
      return;
    }
  }
}
