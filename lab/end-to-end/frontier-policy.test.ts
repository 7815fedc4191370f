/** The policies that need no tuning, in the corners of the loads, errors, capacities and timeouts that they are made for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runOf, type Settings } from "../runs/testdata/run-of.ts";

const LOADS = ["20", "60", "240"];
const ERRORS = ["0", "0.3", "0.6"];
const CAPACITIES = ["15", "45", "120"];

const CELLS = LOADS.flatMap((RATE) =>
  ERRORS.flatMap((ERROR_RATE) => CAPACITIES.map((CAPACITY) => ({ RATE, ERROR_RATE, CAPACITY, DURATION_S: "60" }))),
);

const nameOf = (settings: Settings): string =>
  Object.entries(settings)
    .map((pair) => pair.join("="))
    .join(" ");

/** What may be asked of a policy that has to do without the backend: load of at most three times the capacity. */
const isModest = ({ RATE, CAPACITY }: { RATE: string; CAPACITY: string }): boolean =>
  Number(RATE) <= 3 * Number(CAPACITY);

const both = (ATTEMPT_TIMEOUT_MS: string): Settings => ({
  ATTEMPT_TIMEOUT_MS,
  EDGE_ATTEMPT_TIMEOUT_MS: ATTEMPT_TIMEOUT_MS,
});

for (const [policy, share, cells] of [
  ["frontier", 0.95, CELLS],
  ["solo", 0.85, CELLS.filter(isModest)],
] as const) {
  test(`${policy} reaches ${share * 100} % of what is possible in each corner, for little more calls than that takes`, () => {
    for (const cell of cells) {
      const { goodputOfLimit, amplification, limit, latencyMs } = runOf(cell, policy);
      assert.ok(goodputOfLimit !== null && goodputOfLimit >= share, `${nameOf(cell)}: ${goodputOfLimit}`);
      assert.ok(
        amplification !== null && amplification <= 1.1 * (limit.amplification ?? 0) + 0.02,
        `${nameOf(cell)}: ${amplification}x`,
      );
      assert.ok((latencyMs.p99 ?? 0) < 1110, `${nameOf(cell)}: p99 ${latencyMs.p99} ms`);
    }
  });

  test(`${policy} does the same with attempts of at most 2 s, and with a replica that is slow`, () => {
    const slow = { REPLICAS: "3", SLOW_REPLICA: "1", STRAGGLER_MS: "200" };
    for (const other of [both("2000"), slow]) {
      for (const cell of cells.filter(({ RATE }) => RATE !== "240")) {
        const { goodputOfLimit } = runOf({ ...other, ...cell }, policy);
        assert.ok(
          goodputOfLimit !== null && goodputOfLimit >= share - 0.05,
          `${nameOf({ ...other, ...cell })}: ${goodputOfLimit}`,
        );
      }
    }
  });
}

test("With attempts of at most 50 ms, frontier still answers as many; solo does where a turn comes sooner than that", () => {
  for (const cell of CELLS) {
    const frontier = runOf({ ...both("50"), ...cell }, "frontier").goodputOfLimit;
    assert.ok(frontier !== null && frontier >= 0.9, `frontier, ${nameOf(cell)}: ${frontier}`);
    if (cell.CAPACITY === "15" || !isModest(cell)) continue;
    const solo = runOf({ ...both("50"), ...cell }, "solo").goodputOfLimit;
    assert.ok(solo !== null && solo >= 0.85, `solo, ${nameOf(cell)}: ${solo}`);
  }
});
