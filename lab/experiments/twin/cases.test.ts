import assert from "node:assert/strict";
import { test } from "node:test";
import { contextWith } from "../../runs/testdata/context.ts";
import { triggersNamed, usualOf, type Trigger, type Usual } from "../../runs/triggers.ts";
import { announcement, expectedSeconds, twinCases, type TwinRequest } from "./cases.ts";

const REQUEST: TwinRequest = {
  policies: ["budgeted", "naive", "budgeted"],
  repeat: 3,
  bistable: ["naive"],
  bistableRepeat: 20,
  triggers: [],
};

const usual = (trigger: Trigger): Usual => usualOf(contextWith(), trigger);

test("A policy at the tipping point gets more and shorter runs, and is judged by distribution", () => {
  assert.deepEqual(twinCases(REQUEST, usual), [
    { scenario: "reference", policy: "budgeted", by: "tolerance", repeat: 3, scene: {}, settings: {} },
    {
      scenario: "reference",
      policy: "naive",
      by: "distribution",
      repeat: 20,
      scene: { DURATION_S: "8" },
      settings: {},
    },
  ]);
});

test("Each trigger is a scenario for each policy, judged by tolerance", () => {
  const [, , ...triggered] = twinCases({ ...REQUEST, triggers: triggersNamed(["capacity-dip"]) }, usual);
  assert.deepEqual(
    triggered.map(({ scenario, policy, by, repeat }) => [scenario, policy, by, repeat]),
    [
      ["capacity-dip", "budgeted", "tolerance", 3],
      ["capacity-dip", "naive", "tolerance", 3],
    ],
  );
  assert.equal(triggered[0]?.scene?.["RATE"], "45");
  assert.match(triggered[0]?.settings["FAULT_TIMELINE"] ?? "", /at 5s capacity 30; at 10s capacity 90/);
  assert.equal(triggered[0]?.settings["DURATION_S"], "25");
});

test("Before the start it is said what is run, how it is judged and how long it takes", () => {
  const cases = twinCases(REQUEST, usual);
  const seconds = expectedSeconds([...Array<number>(3).fill(20), ...Array<number>(20).fill(8)]);
  assert.equal(seconds, 3 * 25 + 20 * 13);
  const text = announcement(cases, 23, seconds);
  assert.match(text, /naive: 20 seeds, judged by distribution, at least 20 valid runs/);
  assert.match(text, /23 runs over HTTP, .*about 6 min/);
});
