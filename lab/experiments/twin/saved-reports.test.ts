/** Runs that are there already: reports as a world over HTTP leaves them, made in virtual time for the test. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ConfigError } from "../../../services/settings/values.ts";
import { envFileOf } from "../../../services/settings/env-file.ts";
import { ReportError } from "../../report/data/read-summaries.ts";
import { contextWith } from "../../runs/testdata/context.ts";
import { twinOfSaved } from "./command.ts";
import type { TwinResult } from "./experiment.ts";
import { makeVirtualRun } from "../../runs/virtual-run.ts";

const home = mkdtempSync(join(tmpdir(), "twin-from-"));
after(() => rmSync(home, { recursive: true }));

interface Saved {
  readonly seed: number;
  readonly world?: string;
  readonly valid?: boolean;
  /** What held in the run and does not stand in its environment. */
  readonly hidden?: Readonly<Record<string, string>>;
}

/** Leaves a run's report where `bin/lab compare` would, in a folder of its own within `folder`. */
function save(folder: string, { seed, world = "compose", valid = true, hidden = {} }: Saved): void {
  const own = { POLICY: "budgeted", DURATION_S: "4", SEED: String(seed) };
  // A port of its own, as each run over HTTP has.
  const env = { ...contextWith(own).settingsFor({}), CHAIN: `edge=http://127.0.0.1:${5000 + seed}` };
  const { summary } = makeVirtualRun({ ...env, WORLD: "virtual", ...hidden });
  const dir = join(home, folder, `budgeted-seed-${seed}`, "report");
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "summary.json"), JSON.stringify({ ...summary, world, valid }));
  writeFileSync(join(dir, "effective.env"), envFileOf(env));
}

async function judged(folder: string): Promise<{ readonly code: number; readonly result: TwinResult }> {
  const printed: string[] = [];
  const context = {
    ...contextWith({ REPORTS_DIR: join(home, "out") }),
    json: true,
    print: (text: string) => printed.push(text),
  };
  const code = await twinOfSaved(context, [join(home, folder)], ["naive"]);
  return { code, result: JSON.parse(printed[0] ?? "") as TwinResult };
}

test("Runs of a comparison that differ in their seed alone are judged together, whatever world made them", async () => {
  for (const seed of [1, 2, 3]) save("agreeing", { seed });
  const { code, result } = await judged("agreeing");
  assert.equal(code, 0);
  assert.deepEqual(result.way, { ms: 0.4, from: "model" });
  assert.deepEqual(
    result.verdicts.map(({ scenario, policy, validRuns, verdict }) => [scenario, policy, validRuns, verdict]),
    [["reference in compose", "budgeted", 3, "agrees"]],
  );
  assert.ok(result.verdicts[0]?.measures.every(({ difference }) => Math.abs(difference) < 1e-9));
});

test("A backend that was not as its settings say is noticed", async () => {
  for (const seed of [1, 2, 3]) save("disagreeing", { seed, hidden: { ERROR_RATE: "0.6" } });
  const { code, result } = await judged("disagreeing");
  assert.equal(code, 1);
  assert.equal(result.verdicts[0]?.verdict, "disagrees");
});

test("A run that was INVALID is named and not counted", async () => {
  for (const seed of [1, 2, 3, 4]) save("invalid", { seed, valid: seed !== 2 });
  const { code, result } = await judged("invalid");
  assert.equal(code, 0);
  assert.deepEqual([result.verdicts[0]?.asked, result.verdicts[0]?.validRuns], [4, 3]);
  assert.equal(result.verdicts[0]?.invalid[0]?.seed, 2);
});

test("What cannot be predicted is refused, every run with its reason, and a folder without a run is named", async () => {
  save("virtual", { seed: 1, world: "virtual" });
  save("virtual", { seed: 2 });
  writeFileSync(join(home, "virtual", "budgeted-seed-2", "report", "effective.env"), "");
  await assert.rejects(judged("virtual"), (error) => {
    assert.ok(error instanceof ConfigError);
    assert.match(error.problems[0] ?? "", /seed-1.*virtual time/);
    assert.match(error.problems[1] ?? "", /seed-2.*effective\.env/);
    return true;
  });
  await assert.rejects(judged("nowhere"), ReportError);
});
