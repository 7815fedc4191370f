/** The ablation's claims, on two seeds and the arms that they speak of; each arm is what `bin/lab ablate` runs. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { ARM_GROUPS } from "./arms.ts";
import { ablate, type AblatedArm, type Ablation } from "./experiment.ts";
import { ablationMarkdown, ablationText } from "./text.ts";
import { runOf } from "../../runs/testdata/run-of.ts";
import { contextWith } from "../../runs/testdata/context.ts";
import { measured } from "../../../loadgen/testdata/measured.ts";

const SHOWN = [
  "naive",
  "+ full jitter",
  "+ budget, starts empty",
  "+ deadline, at every hop",
  "+ one owner: the edge",
  "budgeted",
  "- jitter",
  "- budget",
];

describe("The ablation", () => {
  let ablation: Ablation;
  const arm = (name: string): AblatedArm => {
    const found = ablation.groups.flatMap(({ arms }) => arms).find((one) => one.name === name);
    assert.ok(found, name);
    return found;
  };

  before(async () => {
    const groups = ARM_GROUPS.map(({ policy, arms }) => ({
      policy,
      arms: arms.filter(({ name }) => SHOWN.includes(name)),
    }));
    ablation = await ablate(contextWith(), 2, groups);
  });

  test("Jitter alone does nothing here: the storm is as high, and it stays", () => {
    const { metrics, afterwards, difference } = arm("+ full jitter");
    assert.ok(metrics.amplification!.min > 6, String(metrics.amplification!.min));
    assert.ok(Math.abs(difference?.success?.median ?? 1) < 0.05);
    assert.ok(afterwards!.max < 0.05);
  });

  test("The budget does nearly all: alone it is within 5 points of the whole policy, and without it nothing is left", () => {
    const whole = arm("budgeted").metrics.success!.median;
    assert.ok(Math.abs(arm("+ budget, starts empty").metrics.success!.median - whole) < 0.05);
    assert.ok(arm("+ budget, starts empty").metrics.amplification!.max < 1.6);
    assert.ok(arm("- budget").metrics.success!.max < whole / 2);
    assert.ok(Math.abs(arm("- jitter").metrics.success!.median - whole) < 0.05);
  });

  test("A deadline caps p99, and saves nothing else by itself", () => {
    const { metrics } = arm("+ deadline, at every hop");
    assert.ok(metrics.p99!.max < 1150, String(metrics.p99!.max));
    assert.ok(arm("naive").metrics.p99!.min > 1800);
    assert.ok(metrics.success!.max < 0.5);
  });

  test("Retries at one hop no longer multiply: less than half of the storm, though more than a budget allows", () => {
    const owner = arm("+ one owner: the edge").metrics.amplification;
    assert.ok(owner!.max < arm("naive").metrics.amplification!.min / 2);
    assert.ok(owner!.min > arm("+ budget, starts empty").metrics.amplification!.max);
  });

  test("With the trigger gone and the load kept on, only what bounds the retries recovers", () => {
    assert.ok(arm("naive").afterwards!.max < 0.05);
    assert.ok(arm("+ budget, starts empty").afterwards!.min > 0.99);
    assert.ok(arm("budgeted").afterwards!.min > 0.99);
  });

  test("The tables have a row for each arm, in the order of the arms", () => {
    const rows = ablationMarkdown(ablation).split("\n");
    assert.deepEqual(
      rows.slice(2).map((row) => row.split(" | ")[0]?.replace("| ", "")),
      SHOWN,
    );
    assert.match(ablationText(ablation), /seeds 1 to 2/);
  });
});

test("A breaker whose share is near the errors' own ruins the budgeted policy with some seeds; one above them never opens", () => {
  const opensAt = (share: string) =>
    runOf({ BREAKER: "rate", BREAKER_SHARE: share, SEED: "4", DURATION_S: "20" }, "budgeted");
  const without = runOf({ SEED: "4", DURATION_S: "20" }, "budgeted");
  const [near, above] = [opensAt("0.5"), opensAt("0.6")];
  assert.ok(measured(near.successRate) < 0.1 && measured(without.successRate) > 0.8, `${near.successRate}`);
  assert.ok((near.tiers["api"]?.stopReasons.breaker_open ?? 0) > 1000);
  assert.equal(above.successRate, without.successRate);
});

test("No two arms have one name, and the first of each group is its policy as it is", () => {
  const names = ARM_GROUPS.flatMap(({ arms }) => arms.map(({ name }) => name));
  assert.equal(new Set(names).size, names.length);
  for (const { policy, arms } of ARM_GROUPS) assert.deepEqual(arms[0], { name: policy, settings: {} });
});

test("Every arm's settings are accepted beside those of its policy", () => {
  for (const { policy, arms } of ARM_GROUPS) {
    for (const { settings } of arms) {
      const env = contextWith().settingsFor({ ...settings, POLICY: policy });
      for (const [name, value] of Object.entries(settings)) assert.equal(env[name], value, name);
    }
  }
});
