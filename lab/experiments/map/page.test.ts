import assert from "node:assert/strict";
import { test } from "node:test";
import { estimate } from "../../runs/statistics.ts";
import { isDown, type DipCell } from "./experiment.ts";
import { agreement, dipMap } from "./page.ts";
import { shortestDips } from "./shortest.ts";
import { mapText, shortestText } from "./text.ts";

const cell = (load: number, lengthS: number, verdicts: DipCell["verdicts"]): DipCell => ({
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
  const map = dipMap("naive", NAIVE, CELLS);
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
  const map = dipMap("owner", { ...NAIVE, QUEUE_LIMIT: "15" }, CELLS);
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

test("The table has the highest load at the top, and says where the chain is down", () => {
  const lines = mapText(CELLS)
    .split("\n")
    .filter((line) => /^│ \d/.test(line));
  assert.match(lines[0] ?? "", /80 .*100 .*0 DOWN/);
  assert.match(lines[1] ?? "", /20 .*100 .*0 DOWN/);
});

test("The shortest dip that is still fatal stands beside the computed one, load by load", () => {
  const dips = shortestDips(NAIVE, CELLS);
  assert.deepEqual(
    dips.map(({ load, triedS }) => [load, triedS]),
    [
      [20, 5],
      [80, 5],
    ],
  );
  const well = [cell(20, 0.1, { unharmed: 1 }), cell(80, 0.1, { recovers: 1 })];
  const text = shortestText([
    { policy: "naive", dips },
    { policy: "owner", dips: shortestDips({ ...NAIVE, QUEUE_LIMIT: "15" }, well) },
  ]);
  assert.match(text, /20 +│ 5\.00 s +│ 786 ms +│ none +│ none/u);
  assert.match(text, /80 +│ 5\.00 s +│ 220 ms +│ none +│ none/u);
});
