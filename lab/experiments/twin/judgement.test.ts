import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { BUDGETED, pair, type Shown } from "./testdata/pairs.ts";
import { judge, neededRuns, type JudgedBy, type RunPair, type TwinVerdict } from "./judgement.ts";

function verdictOn(by: JudgedBy, pairs: readonly RunPair[]): TwinVerdict {
  return judge({ scenario: "reference", policy: "budgeted", by, asked: pairs.length, pairs });
}

const disagreeing = ({ measures }: TwinVerdict): string[] =>
  measures.filter(({ agrees }) => !agrees).map(({ measure }) => measure);

/** What HTTP showed with each of three seeds, beside a prediction of BUDGETED, and the measures that disagree. */
const TABLE: readonly (readonly [why: string, measured: Partial<Shown>, disagree: readonly string[]])[] = [
  ["The same figures agree", {}, []],
  ["Five points of success are allowed", { success: 0.8 }, []],
  ["More than five points too little are not", { success: 0.79 }, ["success"]],
  ["More than five points too much are not either", { success: 0.91 }, ["success"]],
  ["8 % of the amplification are allowed", { amplification: 1.44 * 1.08 }, []],
  ["More than 8 % are not", { amplification: 1.44 * 1.09 }, ["amplification"]],
  ["5 ms are allowed where 15 % would be less", { p50: 15 }, []],
  ["More than 5 ms are not", { p50: 15.1 }, ["p50"]],
  [
    "Each measure is judged by itself",
    { success: 0.5, amplification: 3, p50: 100 },
    ["success", "amplification", "p50"],
  ],
];

describe("Judged by tolerance", () => {
  for (const [why, measured, disagree] of TABLE) {
    test(why, () => {
      const verdict = verdictOn(
        "tolerance",
        [1, 2, 3].map((seed) => pair(seed, { ...BUDGETED, ...measured })),
      );
      assert.deepEqual(disagreeing(verdict), disagree);
      assert.equal(verdict.verdict, disagree.length === 0 ? "agrees" : "disagrees");
    });
  }

  test("15 % of the p50 are allowed where they are more than 5 ms", () => {
    const slow = { ...BUDGETED, p50: 1000 };
    const of = (p50: number) =>
      verdictOn("tolerance", [pair(1, { ...slow, p50 }, slow), pair(2, { ...slow, p50 }, slow)]);
    assert.deepEqual(disagreeing(of(1150)), []);
    assert.deepEqual(disagreeing(of(1151)), ["p50"]);
  });

  test("The medians are compared, so one odd seed decides nothing", () => {
    const pairs = [pair(1, BUDGETED), pair(2, { ...BUDGETED, success: 0.1 }), pair(3, BUDGETED)];
    assert.equal(verdictOn("tolerance", pairs).verdict, "agrees");
  });

  test("A verdict says what was measured, predicted and allowed, in the measure's own unit", () => {
    const [success, amplification] = verdictOn("tolerance", [pair(1, { ...BUDGETED, success: 0.9 })]).measures;
    assert.equal(success?.measured, 0.9);
    assert.equal(success.predicted, 0.85);
    assert.ok(Math.abs(success.difference - 0.05) < 1e-12);
    assert.equal(success.allowed, 0.05);
    assert.ok(Math.abs((amplification?.allowed ?? 0) - 0.08 * 1.44) < 1e-12);
  });
});

const BUSY = "the machine was saturated";

describe("A run over HTTP that is INVALID", () => {
  const invalid = pair(4, { success: 0, amplification: 9, p50: 2000, invalidReasons: [BUSY] });

  test("does not count, nor does its prediction, and is named", () => {
    const verdict = verdictOn("tolerance", [1, 2, 3].map((seed) => pair(seed, BUDGETED)).concat(invalid));
    assert.equal(verdict.verdict, "agrees");
    assert.deepEqual([verdict.validRuns, verdict.asked], [3, 4]);
    assert.deepEqual(verdict.invalid, [{ seed: 4, reasons: [BUSY] }]);
  });

  test("leaves no verdict where too few others remain", () => {
    const verdict = verdictOn("tolerance", [pair(1, BUDGETED), pair(2, BUDGETED), invalid]);
    assert.equal(verdict.verdict, "too few valid runs");
    assert.deepEqual(verdict.measures, []);
    assert.equal(verdict.neededRuns, 3);
  });

  test("leaves no verdict where it is the only one", () => {
    assert.equal(verdictOn("tolerance", [invalid]).verdict, "too few valid runs");
  });
});

test("A median needs three runs, or as many as were asked for; a distribution twenty", () => {
  assert.deepEqual(
    [1, 2, 3, 10].map((asked) => neededRuns("tolerance", asked)),
    [1, 2, 3, 3],
  );
  assert.equal(neededRuns("distribution", 40), 20);
});

/** Twenty seeds of which the first `storms` storm; a storm shows here and there with other seeds, as chance has it. */
const bistable = (storms: number, seeds = 20): Shown[] =>
  Array.from({ length: seeds }, (_, i) =>
    i < storms
      ? { success: 0.15 + i / 1000, amplification: 8, p50: 1883 }
      : { success: 0.85 + i / 1000, amplification: 2, p50: 100 },
  );

const STORM: Shown = { success: 0.15, amplification: 8, p50: 1883 };

function bySeeds(measured: readonly Shown[], predicted: readonly Shown[]): TwinVerdict {
  return verdictOn(
    "distribution",
    measured.map((shown, i) => pair(i + 1, shown, predicted[i])),
  );
}

describe("Judged by distribution", () => {
  test("As many storms with other seeds are the same distribution", () => {
    const verdict = bySeeds(bistable(10).toReversed(), bistable(10));
    assert.equal(verdict.verdict, "agrees");
    assert.ok(verdict.measures.every(({ chance }) => chance !== null && chance.level.p > 0.5));
  });

  test("A storm more than predicted is chance, although the means lie further apart than the tolerance", () => {
    const verdict = bySeeds(bistable(13), bistable(10));
    const [success] = verdict.measures;
    assert.ok(Math.abs(success?.difference ?? 0) > 0.05);
    assert.equal(verdict.verdict, "agrees");
  });

  test("Storms in nearly all runs where few were predicted are none", () => {
    assert.deepEqual(disagreeing(bySeeds(bistable(19), bistable(4))), ["success", "amplification", "p50"]);
  });

  test("The same mean with another spread is another distribution", () => {
    const between: Shown = { success: 0.51, amplification: 5, p50: 991 };
    const verdict = bySeeds(Array<Shown>(20).fill(between), bistable(10));
    const [success] = verdict.measures;
    assert.ok((success?.chance?.level.p ?? 0) > 0.5);
    assert.ok((success?.chance?.spread.p ?? 1) < 0.01);
    assert.deepEqual(disagreeing(verdict), ["success", "amplification", "p50"]);
  });

  test("A difference that is not chance and yet within the tolerance is agreement", () => {
    const measured = Array<Shown>(20).fill({ ...STORM, p50: 1910 });
    const verdict = bySeeds(measured, Array<Shown>(20).fill(STORM));
    assert.ok((verdict.measures[2]?.chance?.level.p ?? 1) < 0.01);
    assert.equal(verdict.verdict, "agrees");
  });

  test("Nineteen runs are too few", () => {
    assert.equal(bySeeds(bistable(9, 19), bistable(9, 19)).verdict, "too few valid runs");
  });

  test("The same runs give the same verdict, to the digit", () => {
    assert.deepEqual(bySeeds(bistable(12), bistable(9)), bySeeds(bistable(12), bistable(9)));
  });
});
