/** What the backend is asked, and what it answers. */
import type { Cancel } from "../../policy/clock.ts";

export interface BackendRequest {
  /** The order's id: random numbers are keyed by it. */
  readonly id: string;
  /** GET reads, POST has a side effect. */
  readonly method: "GET" | "POST";
  readonly idempotencyKey?: string | undefined;
  /** The caller's attempt number, 1 = the first; 1 where absent. */
  readonly attempt?: number;
  /** Milliseconds that remain, as the caller said; may be zero or less. */
  readonly remainingMs?: number | undefined;
  /** The replica that is meant, 1 to n; any where absent. */
  readonly replica?: number | undefined;
  /** For both of two tied copies: the attempt number of the first of them. */
  readonly tied?: number | undefined;
}

/**
 * `lost`: the work is done, and the answer never arrives. `conflict`: the same key, or the tied copy, is being worked
 * on. `misused`: the key belongs to another request.
 */
export type BackendOutcome = "ok" | "failed" | "shed" | "expired" | "lost" | "conflict" | "misused";

export interface BackendReply {
  readonly outcome: BackendOutcome;
  /** 200, 500, 503 (shed), 504 (expired), 409 (conflict), 422 (misused); 0 (lost). */
  readonly status: number;
  /** Seconds, with a shed reply. */
  readonly retryAfterS?: number;
}

/** `done` is called exactly once, unless the caller leaves first; the returned `Cancel` says that it left. */
export type Serve = (request: BackendRequest, done: (reply: BackendReply) => void) => Cancel;
