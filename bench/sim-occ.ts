/**
 * Which jitter is best where many contend for one thing? The question of M. Brooker's backoff simulator
 * (aws-samples/aws-arch-backoff-simulator), asked of the lab's own backoff code.
 *
 * All clients start at once. Each reads a version from the server, then writes with it; the write succeeds where
 * nobody wrote in between, else the client backs off and begins again. Every message takes a normally distributed
 * time. Counted are the writes that the server saw, and the time until the last client succeeded.
 */
import { VirtualClock } from "../services/virtual-time/clock.ts";
import { backoffMs, type BackoffPolicy } from "../services/policy/backoff.ts";
import type { Rng } from "../services/policy/clock.ts";
import { seededRng } from "../services/policy/rng.ts";

export interface OccModel {
  readonly clients: number;
  readonly backoff: BackoffPolicy;
  readonly seed: number;
}

export interface OccResult {
  readonly calls: number;
  /** Milliseconds until the last client succeeded. */
  readonly lastMs: number;
}

const NETWORK_MEAN_MS = 10;
const NETWORK_DEVIATION_MS = 2;

/** Standard normal numbers, two from two draws (Box and Muller). */
function normals(rng: Rng): () => number {
  let spare: number | undefined;
  return () => {
    if (spare !== undefined) {
      const value = spare;
      spare = undefined;
      return value;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - rng()));
    const angle = 2 * Math.PI * rng();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}

export function simulateOcc({ clients, backoff, seed }: OccModel): OccResult {
  const clock = new VirtualClock();
  const jitter = seededRng(seed, "jitter");
  const normal = normals(seededRng(seed, "network"));
  const oneWayMs = (): number => Math.abs(NETWORK_MEAN_MS + NETWORK_DEVIATION_MS * normal());
  let version = 0;
  let calls = 0;
  const begin = (failures: number, previousMs: number): void => {
    clock.after(oneWayMs(), () => {
      const read = version;
      clock.after(oneWayMs() + oneWayMs(), () => {
        calls += 1;
        const succeeds = read === version;
        if (succeeds) version += 1;
        clock.after(oneWayMs(), () => {
          if (succeeds) return;
          // The original counts the failure before it asks for the wait: its first wait is our second.
          const waitMs = backoffMs(backoff, failures + 1, previousMs, jitter);
          clock.after(waitMs, () => begin(failures + 1, waitMs));
        });
      });
    });
  };
  for (let i = 0; i < clients; i += 1) begin(0, 0);
  clock.runUntilIdle();
  return { calls, lastMs: clock.now() };
}
