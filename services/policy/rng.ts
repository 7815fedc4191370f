/**
 * Random numbers that do not depend on what was drawn before ("common random numbers").
 *
 * Two policies are compared fairly only if the same calls fail under both: order 17's first call, say. With one shared
 * stream they would not, because one policy draws more often than the other and shifts everything behind it. So a draw
 * is a pure function of (seed, key, n).
 *
 * Hash: FNV-1a over the key, then the 32-bit finaliser of MurmurHash3 (public domain, A. Appleby) over seed and n.
 */
import type { Rng } from "./clock.ts";

function finalise(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

function hashOf(seed: number, key: string): number {
  let h = 0x811c9dc5 ^ finalise(seed | 0);
  for (let i = 0; i < key.length; i += 1) h = Math.imul(h ^ key.charCodeAt(i), 0x01000193);
  return finalise(h);
}

const GOLDEN = 0x9e3779b9;

function draw(hash: number, n: number): number {
  const high = finalise(hash + Math.imul(n + 1, GOLDEN));
  const low = finalise(high ^ hash ^ 0x5bd1e995);
  return (high * 0x200000 + (low >>> 11)) / 0x20000000000000;
}

/** The `n`-th (0, 1, …) uniform number in [0, 1) that belongs to `seed` and `key`. */
export function uniform(seed: number, key: string, n: number): number {
  return draw(hashOf(seed, key), n);
}

/** The stream uniform(seed, key, 0), uniform(seed, key, 1), … */
export function seededRng(seed: number, key: string): Rng {
  const hash = hashOf(seed, key);
  let n = 0;
  return () => draw(hash, n++);
}

/** An exponentially distributed number with mean 1, from one uniform draw (inverse transform). */
export function exponential(rng: Rng): number {
  return -Math.log(1 - rng());
}
