import assert from "node:assert/strict";
import { test } from "node:test";
import { parseProfile } from "../../services/settings/rate-profile.ts";
import { parseTimeline } from "../../services/contract/fault-timeline.ts";
import { HEALTHY, settingsOf, TRIGGERS } from "./triggers.ts";

for (const trigger of TRIGGERS) {
  test(`${trigger.name} begins and ends when it says, and leaves the backend and the load as they were`, () => {
    const settings = settingsOf({ trigger, beginsS: [10], endS: 60 }, 45);
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
  const settings = settingsOf({ trigger, beginsS: [10, 40], endS: 60, changes }, 45);
  assert.deepEqual(
    parseProfile(settings["RATE_PROFILE"] ?? "").steps.map(({ rate }) => rate),
    [135, 45, 4.5, 45, 135, 45],
  );
});
