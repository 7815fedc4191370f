/** A run in which nothing was measured proves nothing, wherever its numbers are asked for. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { sideBySide } from "../experiments/compare/side-by-side.ts";
import { ARM_GROUPS } from "../experiments/ablate/arms.ts";
import { ablate } from "../experiments/ablate/experiment.ts";
import { reportedAblations } from "../experiments/ablate/page.ts";
import { ablationText } from "../experiments/ablate/text.ts";
import { findingsOf } from "../experiments/assert/experiment.ts";
import { findingsText } from "../experiments/assert/text.ts";
import { parseAll } from "../experiments/assert/assertion.ts";
import { compare } from "../experiments/compare/experiment.ts";
import { comparisonCsv, comparisonText } from "../experiments/compare/text.ts";
import { fleetResultOf } from "../experiments/fleet/experiment.ts";
import { fleetText } from "../experiments/fleet/text.ts";
import { frontierOf } from "../experiments/frontier/experiment.ts";
import { frontierText } from "../experiments/frontier/text.ts";
import { HEDGE_SCENES } from "../experiments/hedge/arms.ts";
import { hedge } from "../experiments/hedge/experiment.ts";
import { hedgeText } from "../experiments/hedge/text.ts";
import { published } from "../experiments/published/experiment.ts";
import { publishedText } from "../experiments/published/text.ts";
import { sweep } from "../experiments/sweep/experiment.ts";
import { sweepMaps } from "../experiments/sweep/page.ts";
import { sweepCsv, sweepText } from "../experiments/sweep/text.ts";
import { renderComparison, renderExperiment, renderRun } from "../report/pages/write-report.ts";
import { invalidLine } from "../runs/invalid-line.ts";
import { contextWith } from "../runs/testdata/context.ts";
import { runOf } from "../runs/testdata/run-of.ts";
import { runVirtually } from "../worlds/virtual/world.ts";

const scratch = mkdtempSync(join(tmpdir(), "nothing-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const SILENCE = { RATE_PROFILE: "at 0s rate 0", DURATION_S: "5", WORLD: "virtual", REPORTS_DIR: scratch };
const context = contextWith(SILENCE);

/** No ratio of nothing is shown as a number, good or bad. */
function saysNoNumber(text: string, what: string): void {
  assert.doesNotMatch(text, /NaN|Infinity|undefined|null|\b0\.00x|\b0\.0 %/u, `${what}: ${text}`);
}

const folders = async (): Promise<string[]> => {
  const codes: number[] = [];
  for (const policy of ["naive", "budgeted"]) {
    const env = context.settingsFor({ POLICY: policy, REPORTS_DIR: join(scratch, "runs") });
    const world = { env, ambient: { NO_COLOR: "1" }, loadArguments: [], say: assert.fail, onKill: () => {} };
    const outlets = { print: (text: string) => saysNoNumber(text, "summary"), render: renderRun };
    codes.push(await runVirtually({ ...world, stop: new AbortController().signal }, outlets));
  }
  assert.deepEqual(codes, [1, 1]);
  return readdirSync(join(scratch, "runs")).map((name) => join(scratch, "runs", name));
};

test("is INVALID with exit 1, its ratios are null, and its pages say that nothing was measured", async () => {
  const [one, two] = await folders();
  assert.ok(one !== undefined && two !== undefined);
  for (const page of [join(one, "report.html"), await renderComparison([one, two], join(scratch, "pages"))]) {
    const [, main = ""] = readFileSync(page, "utf8").split("<main");
    const told = main.split("<script")[0]!.replaceAll(/<[^>]*>/gu, " ");
    assert.match(told, /nothing was measured/iu);
    saysNoNumber(told, page);
  }
});

test("stands in no table as a number, whichever experiment made it", async () => {
  const comparison = await compare(context, { policies: ["naive", "owner"], repeat: 2, world: "virtual" }, "");
  assert.deepEqual(comparison.policies[0]?.metrics.success, null);
  assert.match(invalidLine(comparison.policies)[0] ?? "", /^INVALID: 4 of 4 runs are INVALID \(naive and owner\)\./u);
  saysNoNumber(comparisonText(comparison), "compare");
  saysNoNumber(comparisonCsv(comparison), "compare, csv");
  saysNoNumber(publishedText(await published(context, 1, "virtual", "")), "published");
  saysNoNumber(hedgeText(await hedge(context, [1], HEDGE_SCENES.slice(0, 1))), "hedge");
  const ablation = await ablate(context, 1, ARM_GROUPS.slice(0, 1));
  saysNoNumber(ablationText(ablation).replace("0 % there", ""), "ablate");
  const summary = runOf(SILENCE);
  saysNoNumber(sideBySide([summary, summary]), "side by side");
  saysNoNumber(fleetText([fleetResultOf("one for all", summary, [])], 4), "fleet");
  const vary = ["RATE=20,40", "ERROR_RATE=0,0.4"];
  const { points, axes } = await sweep(context, { policies: ["naive"], vary, repeat: 1, world: "virtual" });
  saysNoNumber(sweepText(points, axes), "sweep");
  saysNoNumber(sweepText(points, axes.slice(0, 1)), "sweep, list");
  saysNoNumber(sweepCsv(points, axes), "sweep, csv");
  saysNoNumber(frontierText(frontierOf(points)), "frontier");
  const maps = sweepMaps(context, axes, points);
  assert.ok(maps[0]?.cells.every(({ value, crossed }) => value === null && crossed));
  const extras = { title: "nothing", lead: "", command: "", maps, ablations: reportedAblations(ablation) };
  await renderExperiment(extras, join(scratch, "experiment"));
});

test("fulfils no assertion, not even the most modest one, and the finding says why", async () => {
  const comparison = await compare(context, { policies: ["naive"], repeat: 3, world: "virtual" }, "");
  const found = findingsOf(parseAll(["naive.amplification < 0.5", "naive.success >= 0", "0 <= naive.p99"]), comparison);
  assert.equal(found.holds, false);
  assert.deepEqual(
    found.assertions.map(({ holds }) => holds),
    [false, false, false],
  );
  assert.match(
    findingsText(found),
    /^FAILS {2}naive\.amplification < 0\.5 {2}\(naive\.amplification: nothing was measured, so nothing can be said of it\)$/mu,
  );
});
