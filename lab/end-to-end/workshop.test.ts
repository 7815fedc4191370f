/** The workshop's pages, typed: every command is run in virtual time, and what it gives must lie where the page says. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { RunSummary } from "../../loadgen/core/run-summary.ts";
import { herdResults, type HerdResult } from "../experiments/herd/experiment.ts";
import { herdsOf } from "../experiments/herd/scene.ts";
import { contextWith } from "../runs/testdata/context.ts";
import { makeVirtualRun } from "../runs/virtual-run.ts";
import { effectiveSettings } from "../../services/settings/effective.ts";
import { outside, sectionsOf, type Band, type Experiment, type Unit } from "./testdata/workshop-page.ts";
import { nodeArguments } from "../../services/real-time/node-arguments.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pageNamed = (name: string) => sectionsOf(readFileSync(join(root, "docs/workshop", name), "utf8"));
const exercises = pageNamed("exercises.md");
const runbook = pageNamed("runbook.md");

const VERBS = /^VERBS := (.+)$/m.exec(readFileSync(join(root, "lab/cli/verbs.mk"), "utf8"))?.[1]?.split(" ") ?? [];
/** No quotes and no other words of the shell, so that what is read here is what a shell would hand to make. */
const SETTING = /^([A-Z][A-Z0-9_]*)=([^\s"'`$\\]+)$/u;
/** What bin/lab makes of a verb. */
const POLICY_OF: Readonly<Record<string, string>> = { break: "naive", test: "budgeted" };
const SEEDS = ["1", "2", "3"];

type Settings = Readonly<Record<string, string>>;

function typed(command: string): { verb: string; settings: Settings } {
  const [make, verb = "", ...words] = command.split(/\s+/u);
  assert.equal(make, "make", command);
  assert.ok(VERBS.includes(verb), `${command}: make does not know "${verb}"`);
  const pairs = words.map((word) => {
    const [, name = "", value = ""] = SETTING.exec(word) ?? [];
    assert.notEqual(name, "", `${command}: "${word}" is not a plain NAME=value`);
    return [name, value] as const;
  });
  return { verb, settings: Object.fromEntries(pairs) };
}

/** As make and bin/lab hand a command on, in virtual time. */
function environmentOf(command: string, more: Settings = {}): Settings {
  const { verb, settings } = typed(command);
  const policy = POLICY_OF[verb];
  const all = { ...more, ...settings, WORLD: "virtual", ...(policy === undefined ? {} : { POLICY: policy }) };
  return { ...all, LAB_OVERRIDES: Object.keys(all).join(" ") };
}

const settingsOf = (command: string, more?: Settings) =>
  effectiveSettings({ root, environment: environmentOf(command, more) });

type Measure<T> = readonly [unit: Unit, of: (from: T) => number];

const OF_A_RUN: Readonly<Record<string, Measure<RunSummary>>> = {
  succeeded: ["%", (run) => 100 * run.successRate!],
  AMPLIFICATION: ["x", (run) => run.amplification!],
  p50: ["ms", (run) => run.latencyMs.p50!],
  p99: ["ms", (run) => run.latencyMs.p99!],
  "writes done more than once": ["writes", (run) => run.duplicateEffects],
};

const OF_A_HERD: Readonly<Record<string, Measure<HerdResult>>> = {
  "most at the return": ["calls", ({ peakAfter }) => peakAfter!.median],
  "last one served": ["ms", ({ lastServedMs }) => lastServedMs!.median],
};

function check<T>(band: Band, [unit, of]: Measure<T> = ["x", () => NaN], from: T, what: string): void {
  assert.equal(band.unit, unit, `${what}: ${band.measure} is no measure in ${band.unit}`);
  assert.equal(outside(band, of(from)), undefined, what);
}

function checkRuns({ command, bands }: Experiment): void {
  const seeds = typed(command).settings["SEED"] === undefined ? SEEDS : [""];
  for (const seed of seeds) {
    const { summary } = makeVirtualRun(settingsOf(command, seed === "" ? {} : { SEED: seed }));
    assert.deepEqual(summary.invalidReasons, []);
    for (const band of bands) check(band, OF_A_RUN[band.measure], summary, `${command}, seed ${seed}`);
  }
}

function checkHerd({ command, bands }: Experiment): void {
  const results = herdResults(herdsOf(contextWith(), SEEDS.map(Number)));
  for (const band of bands) {
    const [kind, measure = ""] = band.measure.split(": ");
    const result = results.find(({ backoff }) => backoff === kind);
    assert.ok(result, `${command}: there is no backoff "${kind}"`);
    check(band, OF_A_HERD[measure], result, `${command}, ${kind}`);
  }
}

const checkExperiment = (one: Experiment): void =>
  typed(one.command).verb === "herd" ? checkHerd(one) : checkRuns(one);

for (const { title, experiments } of [...runbook, ...exercises]) {
  for (const experiment of experiments.filter(({ bands }) => bands.length > 0)) {
    test(`${title}: "${experiment.command}" gives what the page says`, () => checkExperiment(experiment));
  }
}

describe("The exercises", () => {
  test("are eight, in the order of the seeds' questions", () => {
    assert.deepEqual(
      exercises.map(({ title }) => title),
      [
        "1. Multiplication",
        "2. Jitter",
        "3. Budget",
        "4. Deadline",
        "5. One owner",
        "6. Circuit breaker",
        "7. Hedging",
        "8. Idempotency",
      ],
    );
  });

  test("each have a command with a band for everyone, and a question whose answer has one of its own", () => {
    for (const { title, text, experiments } of exercises) {
      const [open = "", answer = ""] = text.split("<summary>Answer</summary>");
      assert.match(open, /\*\*Question\.\*\* .+\?/su, title);
      assert.ok(answer.includes("</details>"), title);
      assert.ok(experiments.length >= 2, title);
      for (const { command, bands } of experiments) assert.ok(bands.length > 0, command);
      assert.match(experiments.map(({ command }) => command).join("\n"), /WORLD=virtual|make herd/u);
    }
  });
});

test("The runbook shows the storm and the repair with what to expect of them", () => {
  const banded = runbook.flatMap(({ experiments }) => experiments.filter(({ bands }) => bands.length > 0));
  assert.deepEqual(
    banded.map(({ command }) => command),
    ["make break", "make test"],
  );
});

test("Every command of the runbook is one that the lab accepts", () => {
  const commands = runbook.flatMap(({ experiments }) => experiments.map(({ command }) => command));
  assert.ok(commands.length > 4);
  for (const command of commands) assert.equal(settingsOf(command)["WORLD"], "virtual", command);
});

test("What is computed here is what the lab prints for the same command", () => {
  const command = exercises[0]?.experiments[0]?.command ?? "";
  const reports = mkdtempSync(join(tmpdir(), "workshop-"));
  try {
    const env = environmentOf(command, { REPORTS_DIR: reports });
    const words = [...nodeArguments("lab/cli/main"), "run", "--json"];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8", env });
    assert.equal(status, 0, stderr);
    assert.deepEqual(JSON.parse(stdout), structuredClone(makeVirtualRun(settingsOf(command)).summary));
  } finally {
    rmSync(reports, { recursive: true });
  }
});

test("A value beside its band is told, with both", () => {
  const page = "## A\n```sh\nmake break \\\n  SEED=1\n```\n\n| what | band |\n|---|---|\n| p50 | 1.8 to 2 s |\n";
  const [section] = sectionsOf(page);
  const [experiment] = section?.experiments ?? [];
  const [band] = experiment?.bands ?? [];
  assert.ok(band);
  assert.equal(experiment?.command, "make break SEED=1");
  assert.deepEqual([outside(band, 1800), outside(band, 2000)], [undefined, undefined]);
  assert.equal(outside(band, 2000.5), "p50 is 2000.5 ms, the page says 1.8 to 2 s");
  assert.throws(() => sectionsOf(page.replace("1.8 to 2 s", "about 2 s")), /p50.*about 2 s.*a band is/u);
});
