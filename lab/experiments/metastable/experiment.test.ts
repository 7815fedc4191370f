/** Under the naive policy five slow seconds are for ever, and only a cut of the load ends them. */
import { inMarkdown } from "../../runs/text.ts";
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { contextWith } from "../../runs/testdata/context.ts";
import { triggersNamed } from "../../runs/triggers.ts";
import { metastable, type MetastableResult } from "./experiment.ts";
import { metastableText } from "./text.ts";

describe("A spike of the latency that is over after 5 s", () => {
  let results: readonly MetastableResult[] = [];
  const of = (policy: string): MetastableResult => results.find((one) => one.policy === policy) ?? assert.fail(policy);

  before(async () => {
    const triggers = triggersNamed(["latency-spike"]);
    results = await metastable(
      // A sixth of the capacity, so that the storm is a small one.
      contextWith({ RATE: "15" }),
      { policies: ["naive", "budgeted"], triggers, world: "virtual" },
      "",
    );
  });

  test("keeps the naive policy down, until the load is cut; then the same spike does the same", () => {
    const { verdict, recoversAtRps, replay } = of("naive");
    assert.equal(verdict.recovery.kind, "metastable");
    // Nine calls for each request: 10/s and more keep the backend full.
    assert.equal(recoversAtRps, 7.5);
    assert.equal(replay?.recovery.kind, "metastable");
  });

  test("is over for the budgeted policy when it is over, and no way out is looked for", () => {
    const { verdict, recoversAtRps, replay } = of("budgeted");
    assert.equal(verdict.recovery.kind, "recovers");
    assert.deepEqual([recoversAtRps, replay], [null, null]);
  });

  test("is told in a row for each policy", () => {
    const text = inMarkdown(() => metastableText(results, 15));
    assert.match(text, /latency-spike \| naive .*NEVER RECOVERS \| load cut to .*trigger again: NEVER RECOVERS/);
    assert.match(text, /latency-spike \| budgeted .*recovers after \d+ s/);
  });
});
