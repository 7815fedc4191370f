import assert from "node:assert/strict";
import { test } from "node:test";
import { parseProfile } from "../../services/settings/rate-profile.ts";
import { parseTimeline } from "../../services/contract/fault-timeline.ts";
import { contextWith } from "./testdata/context.ts";
import { HEALTHY, settingsOf, TRIGGERS, usualOf } from "./triggers.ts";

for (const trigger of TRIGGERS) {
  test(`${trigger.name} begins and ends when it says, and leaves the backend and the load as they were`, () => {
    const settings = settingsOf(
      { trigger, beginsS: [10], endS: 60 },
      usualOf(contextWith(), { ...trigger, scene: {} }),
    );
    const faults = parseTimeline(settings["FAULT_TIMELINE"] ?? "");
    const profile = parseProfile(settings["RATE_PROFILE"] ?? "");
    assert.deepEqual([...faults.problems, ...profile.problems], []);
    const times = [...faults.steps.map(({ atMs }) => atMs / 1000), ...profile.steps.map(({ atS }) => atS)];
    assert.equal(Math.min(...times), 10);
    assert.equal(Math.max(...times), 10 + trigger.lastsS);
    const end = faults.steps.reduce((all, { change }) => ({ ...all, ...change }), {
      capacity: Number(HEALTHY["CAPACITY"]),
      errorRate: Number(HEALTHY["ERROR_RATE"]),
      latencyMs: Number(HEALTHY["LATENCY_MS"]),
      stragglerMs: 0,
    });
    assert.deepEqual(end, { capacity: 90, errorRate: 0, latencyMs: 8, stragglerMs: 0 });
    assert.equal(profile.steps.at(-1)?.rate ?? 45, 45);
  });
}

test("A trigger that comes twice stands twice in the timeline, and the cut of the load lies between", () => {
  const trigger = TRIGGERS.find(({ load }) => load !== undefined);
  assert.ok(trigger !== undefined);
  const changes = [
    { atS: 20, factor: 0.1 },
    { atS: 30, factor: 1 },
  ];
  const settings = settingsOf({ trigger, beginsS: [10, 40], endS: 60, changes }, usualOf(contextWith()));
  assert.deepEqual(
    parseProfile(settings["RATE_PROFILE"] ?? "").steps.map(({ rate }) => rate),
    [135, 45, 4.5, 45, 135, 45],
  );
});

test("A backend that the user has set otherwise has its triggers in proportion, and is afterwards as it was", () => {
  const typed = { RATE: "90", CAPACITY: "120", ERROR_RATE: "0.02", LATENCY_MS: "5" };
  const timelines = TRIGGERS.map((trigger) => {
    const settings = settingsOf({ trigger, beginsS: [10], endS: 60 }, usualOf(contextWith(typed), trigger));
    return settings["FAULT_TIMELINE"] || settings["RATE_PROFILE"];
  });
  assert.deepEqual(timelines, [
    "at 10s capacity 40; at 15s capacity 120",
    "at 10s error 0.9; at 15s error 0.02",
    "at 10s rate 270; at 12s rate 90",
    "at 10s latency 300; at 15s latency 5",
    "at 10s capacity 1.333; at 12s capacity 80 latency 60; at 16s capacity 120 latency 5",
    "at 10s straggler 300; at 20s straggler 0",
  ]);
});
