import assert from "node:assert/strict";
import { test } from "node:test";
import { OUTCOMES, isRetryable, outcomeOfStatus, type Reply } from "./outcome.ts";
import { isRetriedOn, RETRY_ON_ALL, retryOnList, retryOnProblems } from "./retry-on.ts";

const NO_CONNECTION: Reply = { outcome: "failed", status: 0, sent: false };
const RESET: Reply = { outcome: "failed", status: 0 };
const TOO_SLOW: Reply = { outcome: "timeout", status: 504 };
const answer = (status: number): Reply => ({ outcome: outcomeOfStatus(status), status });

const CASES: readonly (readonly [list: string, retried: readonly Reply[], left: readonly Reply[]])[] = [
  ["connect", [NO_CONNECTION], [RESET, TOO_SLOW, answer(500), answer(503)]],
  ["reset", [RESET], [NO_CONNECTION, TOO_SLOW, answer(500)]],
  ["timeout", [TOO_SLOW], [RESET, answer(504), answer(500)]],
  ["5xx", [answer(500), answer(503), answer(504)], [RESET, TOO_SLOW, answer(429), answer(404)]],
  ["503,429", [answer(503), answer(429)], [answer(500), RESET]],
  ["404", [answer(404)], [answer(400), answer(500)]],
  ["4XX, connect", [answer(404), answer(429), NO_CONNECTION], [answer(500)]],
];

for (const [list, retried, left] of CASES) {
  test(`"${list}" means what it says`, () => {
    const words = retryOnList(list);
    assert.deepEqual(retryOnProblems(list), []);
    for (const reply of retried) assert.equal(isRetriedOn(words, reply), true, JSON.stringify(reply));
    for (const reply of left) assert.equal(isRetriedOn(words, reply), false, JSON.stringify(reply));
  });
}

test("the default list is what may end better next time, whatever the outcome", () => {
  const all = retryOnList(RETRY_ON_ALL);
  for (const status of [0, 200, 302, 400, 404, 422, 429, 500, 502, 503, 504]) {
    const reply = status === 0 ? RESET : answer(status);
    assert.equal(isRetriedOn(all, reply), isRetryable(reply.outcome), String(status));
  }
  for (const outcome of OUTCOMES.filter((each) => !["rejected", "failed", "overloaded"].includes(each)))
    assert.equal(isRetriedOn(all, { outcome, status: 504 }), isRetryable(outcome), outcome);
});

test("a deadline that has passed and a caller who has left are not retried, even where their status is listed", () => {
  const words = retryOnList("4xx,5xx,timeout");
  assert.equal(isRetriedOn(words, { outcome: "deadline", status: 504 }), false);
  assert.equal(isRetriedOn(words, { outcome: "cancelled", status: 499 }), false);
});

test("a keyed write whose earlier attempt is under way is asked again, whatever is listed", () => {
  assert.equal(isRetriedOn(["connect"], { outcome: "failed", status: 409 }), true);
  assert.equal(isRetriedOn(["connect"], { outcome: "rejected", status: 409 }), false);
});

test("each wrong word is told", () => {
  assert.deepEqual(retryOnProblems("5xx,often,,200,9xx"), [
    '"often" is none of them',
    "a word is empty",
    '"200" is none of them',
    '"9xx" is none of them',
  ]);
});
