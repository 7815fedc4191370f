/** Tries doors with what fast-check thinks of. */
import fc from "fast-check";
import type { Door } from "./door.ts";
import { FILE_DOORS } from "./files.ts";
import { HTTP_DOORS } from "./http.ts";
import { SETTING_DOORS } from "./settings.ts";

export const DOORS: readonly Door[] = [...SETTING_DOORS, ...FILE_DOORS, ...HTTP_DOORS];

export interface Effort {
  readonly seed: number;
  /** Tries at most. */
  readonly numRuns: number;
  /** Milliseconds at most. */
  readonly interruptAfterTimeLimit?: number;
}

/**
 * Resolves with the number of tries that were made.
 * Rejects with the smallest case that breaks the door, its seed and its path.
 */
export async function tryDoor(door: Door, effort: Effort): Promise<number> {
  const undo: (() => void | Promise<void>)[] = [];
  let tries = 0;
  try {
    const property = await door.open((one) => undo.push(one));
    const details = await fc.check(property, {
      ...effort,
      interruptAfterTimeLimit: effort.interruptAfterTimeLimit ?? 600_000,
    });
    tries = details.numRuns;
    if (details.failed)
      throw new Error(`${fc.defaultReportMessage(details).slice(0, 4000)}\n${String(details.errorInstance)}`);
  } finally {
    for (const one of undo.toReversed()) await one();
  }
  return tries;
}
