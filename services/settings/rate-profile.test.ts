import assert from "node:assert/strict";
import { test } from "node:test";
import { parseProfile } from "./rate-profile.ts";

test("A profile is read step by step: at changes the rate, by reaches it in a straight line", () => {
  assert.deepEqual(parseProfile("at 5s rate 120; by 20.5 s rate 0.5;"), {
    steps: [
      { atS: 5, rate: 120, ramp: false },
      { atS: 20.5, rate: 0.5, ramp: true },
    ],
    problems: [],
  });
  assert.deepEqual(parseProfile(" "), { steps: [], problems: [] });
});

const WRONG: readonly (readonly [text: string, problem: RegExp])[] = [
  ["at 5 rate 120", /"at 5 rate 120" must read like/],
  ["after 5s rate 120", /must read like/],
  ["at 5s rate -1", /must read like/],
  ["at 5s rate 1e3", /must read like/],
  ["at 5s rate 100001", /rate must be 0 to 100000 requests per second, not "100001"/],
  ["at 9s rate 1; at 5s rate 2", /"at 5s rate 2": it stands after a step at 9s/],
];

for (const [text, problem] of WRONG) {
  test(`A wrong profile is named: ${text}`, () => {
    const { problems } = parseProfile(text);
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? "", problem);
  });
}

test("All faults of a profile are found at once", () => {
  assert.equal(parseProfile("at x; at 5s rate 100001; by 1s rate 5 5").problems.length, 3);
});
