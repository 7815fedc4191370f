/**
 * Which answers are worth another attempt, as a list of words.
 *
 *     connect   it never left this hop: no connection       reset     it was sent, and no answer came
 *     timeout   it took too long                            5xx, 429  an answer of that class, or that status
 *
 * What a client library calls "retryable" differs more than anything else in it: a proxy's default is `connect`, a mesh's
 * is `connect` and a few codes, many HTTP libraries leave out `timeout`. A deadline that has passed and a caller who has
 * left are never retried, whatever the list says.
 */
import { isRetryable, type Reply } from "./outcome.ts";

/** Everything that may end better next time. */
export const RETRY_ON_ALL = "connect,reset,timeout,5xx,429";

const WORD = /^(connect|reset|timeout|[45]xx|[45]\d\d)$/;

export function retryOnList(text: string): string[] {
  return text
    .toLowerCase()
    .split(",")
    .map((word) => word.trim());
}

/** What is wrong with a list, fault by fault; none = valid. */
export function retryOnProblems(text: string): readonly string[] {
  return retryOnList(text)
    .filter((word) => !WORD.test(word))
    .map((word) => (word === "" ? "a word is empty" : `"${word.slice(0, 40)}" is none of them`));
}

/** @param list absent: whatever may end better next time */
export function isRetriedOn(list: readonly string[] | undefined, { outcome, status, sent }: Reply): boolean {
  if (list === undefined) return isRetryable(outcome);
  if (outcome === "timeout") return list.includes("timeout");
  if (outcome === "ok" || outcome === "deadline" || outcome === "cancelled") return false;
  if (status === 0) return list.includes(sent === false ? "connect" : "reset");
  // 409 counts as a failure only while an earlier attempt at the same write is under way: its answer is to come.
  if (outcome === "failed" && status === 409) return true;
  return list.includes(String(status)) || list.includes(`${Math.floor(status / 100)}xx`);
}
