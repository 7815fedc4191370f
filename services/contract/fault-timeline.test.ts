import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTimeline } from "./fault-timeline.ts";

const GOOD = [
  ["nothing at all", "", []],
  ["only separators", " ; ;", []],
  ["one setting", "at 5s capacity 90", [{ atMs: 5000, change: { capacity: 90 } }]],
  [
    "every setting, in any order",
    "at 0s latency 8 error 0.4 capacity 90 straggler 300",
    [{ atMs: 0, change: { latencyMs: 8, errorRate: 0.4, capacity: 90, stragglerMs: 300 } }],
  ],
  ["a fraction of a second, and loose spacing", "  at  2.5 s   error 1 ", [{ atMs: 2500, change: { errorRate: 1 } }]],
  [
    "steps out of order, which are sorted by time",
    "at 15s capacity 200 error 0; at 5s capacity 90",
    [
      { atMs: 5000, change: { capacity: 90 } },
      { atMs: 15_000, change: { capacity: 200, errorRate: 0 } },
    ],
  ],
] as const;

for (const [what, text, steps] of GOOD) {
  test(`a timeline of ${what} is understood`, () => {
    assert.deepEqual(parseTimeline(text), { steps, problems: [] });
  });
}

const BAD = [
  ["a step without a time", "capacity 90", /"capacity 90" must read like "at 5s/],
  ["a negative time", "at -5s capacity 90", /must read like/],
  ["a step without a setting", "at 5s", /must read like/],
  ["an unknown setting", "at 5s speed 9", /"speed" is not a setting \(capacity, error, latency, straggler[^)]*\)/],
  ["a setting without a value", "at 5s capacity", /capacity must be 0.001 to 100000 calls per second, not ""/],
  ["a capacity of nothing", "at 5s capacity 0", /capacity must be .* not "0"/],
  ["an error rate above one", "at 5s error 1.5", /error must be 0 to 1, not "1.5"/],
  ["a latency that is no number", "at 5s latency soon", /latency must be .* not "soon"/],
  ["a number in another notation", "at 5s capacity 0x10", /capacity must be .* not "0x10"/],
  ["a setting that is named twice", "at 5s error 0.1 error 0.2", /error is set twice/],
] as const;

for (const [what, text, message] of BAD) {
  test(`a timeline with ${what} is refused, with the reason`, () => {
    const { problems } = parseTimeline(text);
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? "", message);
  });
}

test("all faults of a timeline are told at once", () => {
  assert.equal(parseTimeline("at 5s error 2 latency x; nonsense; at 6s speed 1").problems.length, 4);
});
