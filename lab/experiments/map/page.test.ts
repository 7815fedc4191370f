import assert from "node:assert/strict";
import { test } from "node:test";
import { mapAxesOf, mapText, type MapCommand } from "./command.ts";
import { estimate } from "../../runs/statistics.ts";
import { agreement, isDown, tippingMap } from "./page.ts";
import type { TippingCell } from "./experiment.ts";

const cell = (load: number, lengthS: number, verdicts: TippingCell["verdicts"]): TippingCell => ({
  policy: "naive",
  load,
  lengthS,
  verdicts,
  late: estimate([verdicts.metastable === undefined ? 1 : 0], "cell"),
  runs: 1,
  validRuns: 1,
});

const CELLS = [
  cell(20, 0.1, { unharmed: 1 }),
  cell(20, 5, { metastable: 1 }),
  cell(80, 0.1, { recovers: 1 }),
  cell(80, 5, { metastable: 1 }),
];

const NAIVE = { POLICY: "naive", EDGE_ATTEMPT_TIMEOUT_MS: "700", ERROR_RATE: "0" };

test("A map crosses what is still down, and has the edges that lie in it", () => {
  const map = tippingMap("naive", NAIVE, CELLS);
  assert.deepEqual(
    map.cells.map(({ crossed = false }) => crossed),
    [false, true, false, true],
  );
  // Healthy up to 90: above the highest load, so not drawn. Nine calls for each request recover below 10.
  assert.deepEqual(
    map.edges?.map(({ name }) => name),
    ["recovers by itself below", "a longer dip keeps it down"],
  );
  assert.deepEqual(new Set(map.edges?.[0]?.points.map(({ y }) => y)), new Set([10]));
  assert.match(map.finding, /in 2 of 4 cells; the computed edge says the same of 4 of 4/);
});

test("A short queue has no edge below which it recovers, since it always does", () => {
  const map = tippingMap("owner", { ...NAIVE, QUEUE_LIMIT: "15" }, CELLS);
  assert.deepEqual(map.edges, []);
});

test("A cell without a verdict is not held against the computed edge, and half of the runs are not most of them", () => {
  const cells = [...CELLS, cell(100, 1, { "never-healthy": 1 })];
  assert.deepEqual(
    agreement(cells, () => true),
    { agreeing: 2, judged: 4 },
  );
  assert.equal(isDown({ ...cell(20, 1, { metastable: 1, recovers: 1 }), runs: 2 }), false);
  assert.equal(isDown({ ...cell(20, 1, { metastable: 2, recovers: 1 }), runs: 3 }), true);
});

const COMMAND: MapCommand = {
  policies: ["naive"],
  loads: "80,20",
  lengths: "0.1..0.3:0.1",
  repeat: 1,
  json: false,
};

test("Loads and lengths are read as those of a sweep, and sorted", () => {
  assert.deepEqual(mapAxesOf(COMMAND), { loads: [20, 80], lengths: [0.1, 0.2, 0.3] });
});

test("All faults of the axes are told at once, each with its option", () => {
  assert.throws(
    () => mapAxesOf({ ...COMMAND, loads: "9..1:1", lengths: "0,5" }),
    (error: { problems?: string[] }) => {
      assert.match(error.problems?.[0] ?? "", /^--load 9\.\.1:1: 1 is below 9/);
      assert.match(error.problems?.[1] ?? "", /^--length 0,5: numbers from 0.01 to 600 are needed/);
      return error.problems?.length === 2;
    },
  );
  assert.throws(
    () => mapAxesOf({ ...COMMAND, loads: "1..1000:1", repeat: 10 }),
    /that is 30000 runs; at most 5000/,
  );
});

test("The table has the highest load at the top, and says where the chain is down", () => {
  const lines = mapText(CELLS)
    .split("\n")
    .filter((line) => /^│ \d/.test(line));
  assert.match(lines[0] ?? "", /80 .*100 .*0 DOWN/);
  assert.match(lines[1] ?? "", /20 .*100 .*0 DOWN/);
});
