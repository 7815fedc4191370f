import assert from "node:assert/strict";
import { test } from "node:test";
import type { Axis } from "./axes.ts";
import { pointResult } from "./experiment.ts";
import type { ExperimentContext } from "../../runs/context.ts";
import { MEASURES, type MeasureName } from "../../runs/measures.ts";
import { edgesWith, mapAxes, sweepMaps } from "./page.ts";

const RATE: Axis = { name: "RATE", values: ["20", "60"] };
const ERRORS: Axis = { name: "ERROR_RATE", values: ["0", "0.4"] };

const point = (rate: string, errors: string, success: number, valid = true) => {
  const values = Object.fromEntries(MEASURES.map(({ name }) => [name, success])) as Record<MeasureName, number>;
  const at = { RATE: rate, ERROR_RATE: errors };
  return pointResult({ policy: "naive", at }, [{ key: "", valid, values, limit: 1 }]);
};

const POINTS = [point("20", "0", 1), point("20", "0.4", 1), point("60", "0", 1), point("60", "0.4", 0.02, false)];

const context = {
  settingsFor: (overrides) => ({ ...overrides }) as Record<string, string>,
} as ExperimentContext;

test("The load goes up whichever of the two it is, and only two settings of numbers make a map", () => {
  assert.deepEqual(mapAxes([RATE, ERRORS]), { x: ERRORS, y: RATE });
  assert.deepEqual(mapAxes([ERRORS, RATE]), { x: ERRORS, y: RATE });
  assert.equal(mapAxes([RATE]), undefined);
  assert.equal(mapAxes([RATE, { name: "BUDGET", values: ["none", "window"] }]), undefined);
  assert.deepEqual(sweepMaps(context, [RATE], POINTS), []);
});

test("A map has a cell for each point, the invalid one crossed, and edges at each of its errors", () => {
  const [map] = sweepMaps(context, [RATE, ERRORS], POINTS);
  assert.equal(map?.title, "naive: load and errors");
  assert.deepEqual(
    map?.cells.map(({ x, y, crossed = false }) => [x, y, crossed]),
    [
      [0, 20, false],
      [0.4, 20, false],
      [0, 60, false],
      [0.4, 60, true],
    ],
  );
  const rounded = map?.edges?.map(({ points }) => points.map(({ x, y }) => [x, Math.round(y)]));
  assert.deepEqual(rounded, [
    [
      [0, 90],
      [0.4, 54],
    ],
    [
      [0, 10],
      [0.4, 10],
    ],
  ]);
  assert.match(map?.finding ?? "", /^3 of 4 cells succeed with 95 % or more, 1 with less than 5 %\. Computed: can be/);
});

test("Where the model of the edges does not hold, there are none", () => {
  assert.equal(edgesWith({ THROTTLE: "penalty" }), undefined);
  assert.equal(edgesWith({ QUEUE_LIMIT: "15" })?.recoversBelow, Infinity);
  assert.equal(edgesWith({ QUEUE_LIMIT: "40" })?.recoversBelow, 10);
});
