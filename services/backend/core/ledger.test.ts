import assert from "node:assert/strict";
import { test } from "node:test";
import { BoundedCounts, Ledger } from "./ledger.ts";

test("effects beyond the first for one intention are duplicates", () => {
  const ledger = new Ledger();
  for (const intention of ["a", "b", "a", "a"]) ledger.record(intention);
  assert.equal(ledger.effects, 4);
  assert.equal(ledger.duplicates, 2);
});

test("a cleared ledger remembers nothing", () => {
  const ledger = new Ledger();
  ledger.record("a");
  ledger.record("a");
  ledger.clear();
  ledger.record("a");
  assert.deepEqual([ledger.effects, ledger.duplicates], [1, 0]);
});

test("a count says how often a key was there before", () => {
  const counts = new BoundedCounts();
  assert.deepEqual(
    ["a", "a", "b", "a"].map((key) => counts.next(key)),
    [0, 1, 0, 2],
  );
  assert.equal(counts.get("a"), 3);
  assert.equal(counts.get("never seen"), 0);
});

test("beyond its limit the oldest key is forgotten, and only that one", () => {
  const counts = new BoundedCounts(2);
  for (const key of ["a", "a", "b", "c"]) counts.next(key);
  assert.deepEqual(
    ["a", "b", "c"].map((key) => counts.get(key)),
    [0, 1, 1],
  );
});
