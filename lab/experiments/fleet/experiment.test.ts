import { inMarkdown } from "../../runs/text.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Sample } from "../../../loadgen/core/series.ts";
import { summarise } from "../../../loadgen/core/summary.ts";
import { backend, FACTS, hop } from "../../../loadgen/testdata/facts.ts";
import { retryPolicyOf } from "../../../services/hop/config.ts";
import { ConfigError, readValues } from "../../../services/settings/values.ts";
import { budgetWith } from "../../../services/policy/testdata/policies.ts";
import { effectiveSettings } from "../../../services/settings/effective.ts";
import { contextWith } from "../../runs/testdata/context.ts";
import { FLEET_ARMS, SCENE } from "./arms.ts";
import { fleetResultOf, planFleet, retriesBetween } from "./experiment.ts";
import { fleetText } from "./text.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

function settingsFor(overrides: Readonly<Record<string, string>>): Record<string, string> {
  const environment = { ...overrides, LAB_OVERRIDES: Object.keys(overrides).join(" ") };
  return effectiveSettings({ root, environment });
}

test("The arms differ in whose the budget is, and in nothing else; no setting of theirs is without effect", () => {
  const policies = FLEET_ARMS.map(({ settings }) =>
    retryPolicyOf(readValues(settingsFor({ ...SCENE, WORLD: "process", ...settings })), "api"),
  );
  for (const { instances } of policies) assert.equal(instances, 4);
  const [each, ...shared] = policies.map(({ budget }) => budget);
  assert.equal(each?.fleet, undefined);
  for (const { fleet, ...budget } of shared) {
    assert.deepEqual(budget, each);
    assert.deepEqual(fleet, { lease: 2, floorPerSecond: 0.25 });
  }
});

function sample(tS: number, arrivals: number, attempts: number): Sample {
  const nothing = {
    arrivals: 0,
    ok: 0,
    failed: 0,
    shed: 0,
    wasted: 0,
    waiting: 0,
    tokens: 0,
    capacity: 0,
    errorRate: 0,
  };
  return { tS, offeredRps: 0, tiers: { api: { arrivals, attempts } }, backend: nothing };
}

test("Retries are counted by halves, from rates over intervals that end at about a whole second", () => {
  const samples = [sample(1.02, 10, 15), sample(1.98, 10, 20), sample(3.01, 10, 10), sample(4.4, 10, 12)];
  assert.equal(retriesBetween(samples, 0, 2), Math.round(5 * 1.02 + 10 * 0.96));
  assert.equal(retriesBetween(samples, 2, Infinity), Math.round(2 * 1.39));
});

const RUN = summarise({
  ...FACTS,
  tiers: [
    hop("edge", { arrivals: 600, attempts: 600 }),
    hop(
      "api",
      { arrivals: 600, attempts: 640 },
      {
        instances: 4,
        budget: budgetWith({ ratio: 0, start: 10, fleet: { lease: 2, floorPerSecond: 1 } }),
      },
    ),
    backend({ arrivals: 640, ok: 400, failed: 240 }),
  ],
});

test("What was counted stands beside what the shared budget promises for such a run, and why a run is invalid below", () => {
  const result = fleetResultOf("one for all", RUN, [sample(1, 10, 12)]);
  assert.deepEqual([result.retries, result.halves], [40, [2, 0]]);
  // Its start level, and the floor of four instances over the 10.5 s of the run.
  assert.equal(result.bound, 10 + 4 * 10.5);
  const text = inMarkdown(() => fleetText([{ ...result, valid: false, invalidReasons: ["the machine was busy"] }], 4));
  assert.match(text, /one for all \| 40 \| 52 \| 2 \| 0 .*INVALID/);
  assert.match(text, /\none for all: the machine was busy$/);
});

test("What the experiment sets itself is refused when it is typed, before anything is started", () => {
  assert.throws(
    () => planFleet(contextWith({ API_BUDGET_SCOPE: "fleet", RATE: "60" })),
    (error) =>
      error instanceof ConfigError &&
      error.message.startsWith("API_BUDGET_SCOPE=fleet: this experiment sets that itself"),
  );
});

test("Runs whose budget store never answered say nothing about it, and so are invalid", () => {
  const { api } = RUN.tiers;
  assert.ok(api);
  const resultWith = (answers: number) => {
    const store = { answers, awayMs: 5000 };
    return fleetResultOf("one for all", { ...RUN, tiers: { ...RUN.tiers, api: { ...api, store } } }, []);
  };
  assert.equal(resultWith(3).valid, RUN.valid);
  assert.equal(resultWith(0).valid, false);
  assert.match(resultWith(0).invalidReasons.join(), /the budget store never answered/);
});
