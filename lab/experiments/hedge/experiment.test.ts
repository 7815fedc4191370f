/** What `bin/lab hedge` claims, on one seed and through all settings, as the command runs it. */
import { inMarkdown } from "../../runs/text.ts";
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { hedge, type HedgedArm, type HedgeResult } from "./experiment.ts";
import { hedgeText } from "./text.ts";
import { contextWith } from "../../runs/testdata/context.ts";

describe("lab hedge", () => {
  let result: HedgeResult;
  before(async () => {
    result = await hedge(contextWith(), [1]);
  });

  const arm = (scene: RegExp, name: string): HedgedArm["measured"] => {
    const found = result.arms.find((one) => scene.test(one.scene) && one.name === name);
    assert.ok(found !== undefined, name);
    assert.equal(found.validRuns, 1);
    return found.measured;
  };

  test("at p95 cuts p99.9 of random stragglers by ten times or more, for at most 6 % more calls", () => {
    const [without, hedged] = [arm(/one call/, "no copies"), arm(/one call/, "at p95")];
    assert.ok(hedged.p999!.median * 10 <= without.p999!.median, `${hedged.p999!.median}`);
    assert.equal(without.calls!.median, 1);
    assert.ok(hedged.calls!.median <= 1.06 && hedged.sent!.median >= hedged.won!.median);
  });

  test("wins nothing where an order is slow at every replica", () => {
    const [without, hedged] = [arm(/one order/, "no copies"), arm(/one order/, "at p95")];
    assert.equal(hedged.p999!.median, without.p999!.median);
    assert.ok(hedged.sent!.median > 50 && hedged.won!.median === 0);
  });

  test("rescues all calls of one slow replica only with a copy for each of them", () => {
    const [few, all] = [arm(/one replica/, "at p95"), arm(/one replica/, "after 20 ms, for everyone")];
    assert.ok(few.calls!.median <= 1.05 && few.p99!.median > 1000);
    assert.ok(all.p999!.median < 50 && all.calls!.median === 1.5);
  });

  test("tied copies beat a delayed one where the queues differ, and each read is served once", () => {
    const [without, delayed, tied] = ["no copies", "after 20 ms, for everyone", "tied"].map((name) =>
      arm(/quarter/, name),
    );
    assert.ok(without!.success!.median < 0.9 && without!.p99!.median > 5000);
    assert.ok(tied!.p999!.median * 2 < delayed!.p999!.median, `${tied!.p999!.median} against ${delayed!.p999!.median}`);
    assert.deepEqual([tied!.served!.median, tied!.success!.median], [1, 1]);
    assert.ok(delayed!.served!.median > 1.1, `${delayed!.served!.median}`);
  });

  test("is held back under overload", () => {
    const { sent, suppressed, calls } = arm(/four times/, "after 20 ms, for everyone");
    assert.ok(suppressed!.median > 1000 && sent!.median < 50 && calls!.median < 1.02);
  });

  test("prints a row for each arm under the name of its scene", () => {
    const text = inMarkdown(() => hedgeText(result));
    for (const { scene, name } of result.arms) assert.ok(text.includes(scene) && text.includes(name));
    assert.match(text, /seed 1;/);
  });
});
