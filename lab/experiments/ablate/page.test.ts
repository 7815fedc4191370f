import assert from "node:assert/strict";
import { test } from "node:test";
import { MEASURES, type MeasureName } from "../../runs/measures.ts";
import { reportedAblations } from "./page.ts";
import type { AblatedArm } from "./experiment.ts";
import { estimate, type Estimate } from "../../runs/statistics.ts";

const arm = (name: string, success: number): AblatedArm => ({
  name,
  settings: {},
  runs: 1,
  validRuns: 1,
  metrics: Object.fromEntries(MEASURES.map((metric) => [metric.name, estimate([success], name)])) as Record<
    MeasureName,
    Estimate
  >,
  difference: null,
  afterwards: estimate([1], name),
});

test("Each policy that was ablated is a chart of its own that names the best and the worst variant", () => {
  const naive = [arm("naive", 0.16), arm("+ jitter", 0.17), arm("+ lifo", 0.92), arm("+ retries", 0.1)];
  const ablation = {
    schema: 1,
    seeds: [1],
    groups: [
      { policy: "naive", arms: naive },
      { policy: "budgeted", arms: [arm("budgeted", 0.85)] },
    ],
  } as const;
  const [first, second] = reportedAblations(ablation);
  assert.equal(
    first?.finding,
    "Share of the requests that succeeded: naive (16.0 %); best + lifo (92.0 %), worst + retries (10.0 %).",
  );
  assert.deepEqual(
    first?.rows.map(({ label, success }) => [label, success!.median]),
    [
      ["naive", 0.16],
      ["+ jitter", 0.17],
      ["+ lifo", 0.92],
      ["+ retries", 0.1],
    ],
  );
  assert.deepEqual(first?.rows[0]?.success, { median: 0.16 });
  const twice = reportedAblations({ ...ablation, seeds: [1, 2] })[0]?.rows[0]?.success;
  assert.deepEqual([twice?.low, twice?.high], [0.16, 0.16]);
  assert.equal(second?.finding, "Share of the requests that succeeded: budgeted (85.0 %).");
});
