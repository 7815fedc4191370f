/** Each knob changes an outcome: one without a visible effect would be decoration. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { KNOBS } from "../../services/settings/knobs/knobs.ts";
import { SOURCE_ROOT } from "../toolchain/files.ts";
import { referenceConfig, runAndRecord } from "../worlds/virtual/testdata/reference.ts";
import { KNOB_EFFECTS, MEASURES, SHOWN_ELSEWHERE } from "./testdata/knob-effects.ts";
import { runOf } from "../runs/testdata/run-of.ts";

for (const { knob, from, to, scene, metric, goes } of KNOB_EFFECTS) {
  test(`${knob} from ${from || "nothing"} to ${to}: ${metric} goes ${goes}`, () => {
    const [before, after] = [from, to].map((value) => MEASURES[metric](runOf({ ...scene, [knob]: value })));
    assert.ok(typeof before === "number" && typeof after === "number");
    // A tenth of the larger one: more than other random numbers do.
    const least = Math.max(before, after) / 10;
    const moved = goes === "up" ? after - before : before - after;
    assert.ok(moved > 0 && moved >= least, `${before} became ${after}`);
  });
}

// Case 18 of docs/cases.md.
test("Writes whose answers get lost are done twice without a store of keys, and once with one", () => {
  const lossy = { CAPACITY: "10000", ERROR_RATE: "0", WRITE_SHARE: "1", RESPONSE_LOSS: "0.3" };
  assert.ok(runOf(lossy).duplicateEffects > 0);
  const { duplicateEffects, effects, clientRequests } = runOf({ ...lossy, DEDUP: "wait" });
  assert.deepEqual([duplicateEffects, effects], [0, clientRequests]);
});

test("With first tries first, more requests are answered at their first try", () => {
  const reference = referenceConfig("naive", 1, 10);
  const quick = (queueOrder: "fifo" | "priority"): number => {
    const { records } = runAndRecord({ ...reference, backend: { ...reference.backend, queueOrder } });
    return records.filter(({ outcome, attempts }) => outcome === "ok" && attempts === 1).length;
  };
  assert.ok(quick("priority") > quick("fifo") * 1.2);
});

test("No knob is left out of these tables", () => {
  const shown = new Set([
    ...KNOB_EFFECTS.map(({ knob }) => knob.replace(/^API_/, "")),
    ...Object.keys(SHOWN_ELSEWHERE),
  ]);
  assert.deepEqual([...shown].toSorted(), KNOBS.map(({ name }) => name).toSorted());
});

test("What virtual time cannot show, another test does", () => {
  for (const [knob, [path, word]] of Object.entries(SHOWN_ELSEWHERE)) {
    const text = readFileSync(`${SOURCE_ROOT}/${path}`, "utf8");
    assert.ok(text.includes(word), `${knob}: ${path} does not speak of ${word}`);
  }
});
