/**
 * A door is where something comes in that the lab has not made itself: a setting, a file, a request. Whatever comes in,
 * it is taken or told: no stack, no hang, no 500.
 */
import assert from "node:assert/strict";
import type fc from "fast-check";
import { KnownError } from "../../../services/settings/known-error.ts";

export type Property = fc.IRawProperty<unknown>;

export interface Door {
  readonly name: string;
  /** The property that holds at this door. @param closing gets what has to be undone */
  open(closing: (undo: () => void | Promise<void>) => void): Property | Promise<Property>;
}

/** Longer than any message that a person would read. */
const MOST_TOLD = 20_000;

/** Does `work`, which may end well or with an error for a person; anything else is a fault of the lab. */
export async function takenOrTold(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof KnownError)) throw error;
    assert.ok(error.message.length < MOST_TOLD, `a message of ${error.message.length} characters`);
  }
}
