/** The published lab's figures again, on two seeds, and the table that they stand in. */
import { inMarkdown } from "../../runs/text.ts";
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { comparisonOf, type ComparedPolicy, type Comparison } from "../../runs/comparison.ts";
import { published, WIRINGS } from "./experiment.ts";
import { publishedText } from "./text.ts";
import { contextWith } from "../../runs/testdata/context.ts";
import { summaryWith } from "../../runs/testdata/summary.ts";

describe("The published lab's wiring", () => {
  let comparison: Comparison;
  const wiring = (name: string): ComparedPolicy["metrics"] => {
    const found = comparison.policies.find(({ policy }) => policy === name);
    assert.ok(found, name);
    return found.metrics;
  };

  before(async () => {
    comparison = await published(contextWith(), 2, "virtual", "");
  });

  test("is compared in the order in which it is told, each wiring over the same seeds", () => {
    assert.deepEqual(
      comparison.policies.map(({ policy }) => policy),
      WIRINGS.map(({ name }) => name),
    );
    assert.deepEqual(comparison.seeds, [1, 2]);
  });

  test("storms under naive and does not when it is fixed, as was published", () => {
    const [naive, fixed] = [wiring("naive"), wiring("fixed")];
    assert.ok(naive.success!.max < 0.35 && naive.amplification!.min > 6.5, JSON.stringify(naive));
    assert.ok(fixed.success!.min > 0.65 && fixed.amplification!.max < 1.7, JSON.stringify(fixed));
    assert.ok(fixed.p99!.min > 1000, "a few wait for the whole deadline");
  });

  test("loses most to buckets that start full", () => {
    const empty = wiring("fixed, buckets start empty");
    assert.ok(empty.success!.median > wiring("fixed").success!.median + 0.03);
    assert.ok(empty.p99!.max < 200);
    assert.deepEqual(wiring("fixed, none of the three faults").success, empty.success);
  });
});

test("Each row of the table has what was measured, its range, and what was published where something was; below it, how many runs were valid", () => {
  const runs = [1, 2, 3].flatMap((seed) =>
    WIRINGS.map(({ name }, i) =>
      summaryWith({
        policy: name,
        seed,
        successRate: seed / 10,
        amplification: 2 * seed,
        valid: seed + i > 1,
      }),
    ),
  );
  const lines = inMarkdown(() => publishedText(comparisonOf(runs))).split("\n");
  const naive = lines.find((line) => line.includes("| naive ")) ?? "";
  assert.match(naive, /20\.0 % \(10\.0–30\.0\) \| 4\.00x \(2\.00–6\.00\)/);
  assert.match(naive, /22\.8 % \(10 to 32\), 7\.30x/);
  const none = lines.find((line) => line.includes("none of the three faults")) ?? "";
  assert.match(none, /\|  \|$/);
  assert.match(lines.at(-1) ?? "", /virtual, 3 seeds, 17 of 18 runs valid$/);
});
