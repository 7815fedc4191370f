/** Random numbers that no run has to meet again: ids that need to be unique, not secret and not reproducible. */
import type { Rng } from "../policy/clock.ts";

export const unseeded: Rng = Math.random;
