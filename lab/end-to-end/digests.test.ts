/**
 * What the lab computes, as digests that were committed: moving code, or naming it otherwise, changes none of them. Whoever
 * changes what is computed replaces those that a failing test names, and says why.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { ARM_GROUPS } from "../experiments/ablate/arms.ts";
import { FLEET_ARMS, SCENE } from "../experiments/fleet/arms.ts";
import { CALM, HEDGE_SCENES } from "../experiments/hedge/arms.ts";
import { runHerd } from "../experiments/herd/experiment.ts";
import { herdsOf } from "../experiments/herd/scene.ts";
import { WIRINGS } from "../experiments/published/experiment.ts";
import { SCALE_CASES } from "../experiments/scale/cases.ts";
import { runScale } from "../experiments/scale/incident.ts";
import type { RunSummary } from "../../loadgen/core/run-summary.ts";
import { contextWith } from "../runs/testdata/context.ts";
import { HEALTHY, sceneOf, settingsOf, TRIGGERS, usualOf } from "../runs/triggers.ts";
import { makeVirtualRun } from "../runs/virtual-run.ts";
import { oneWaySettings } from "../experiments/twin/one-way.ts";
import { fanOut, TAIL_AT_SCALE } from "../experiments/fan-out/experiment.ts";
import { knobNamed } from "../../services/settings/knobs/knobs.ts";
import { policyNames } from "../../services/settings/policy-files.ts";
import { runVirtually } from "../worlds/virtual/world.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const golden = JSON.parse(readFileSync(new URL("testdata/digests.json", import.meta.url), "utf8")) as Readonly<
  Record<string, string>
>;

const SEEDS = [1, 2, 3, 4, 5];

type Settings = Readonly<Record<string, string>>;

const sha256 = (bytes: string): string => createHash("sha256").update(bytes).digest("hex").slice(0, 16);

/** @param made the bytes by the name of their digest */
function check(made: Readonly<Record<string, string>>): void {
  const digests = Object.entries(made).map(([name, bytes]) => [name, sha256(bytes)] as const);
  const fresh = digests.filter(([name]) => golden[name] === undefined);
  const lines = fresh.map(([name, digest]) => `  "${name}": "${digest}",`).join("\n");
  assert.equal(fresh.length, 0, `new here, to be added to lab/end-to-end/testdata/digests.json:\n${lines}`);
  for (const [name, digest] of digests) assert.equal(digest, golden[name], `${name} is computed otherwise than it was`);
}

/** What differs from the defaults: a new knob changes none of it. */
const chosen = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(effective(settings)).filter(([name, value]) => knobNamed(name)?.default !== value));

const effective = (settings: Settings): Record<string, string> => contextWith(settings).settingsFor({});

/** Without its grade in words: that says no more than `valid`, where there is no machine that could disturb a run. */
function computed({ validity, noisyReasons, ...rest }: RunSummary): Partial<RunSummary> {
  assert.equal(validity, rest.valid ? "valid" : "invalid");
  assert.deepEqual(noisyReasons, []);
  return rest;
}

/** What one run comes to: its summary and its course, second by second. */
const cell = (settings: Settings): string => {
  const { summary, timeline } = makeVirtualRun(effective({ WORLD: "virtual", SEED: "1", ...settings }));
  return JSON.stringify({ summary: computed(summary), course: timeline });
};

/** What one run leaves in its folder: summary and records, as they are on the disk. */
async function filesOf(settings: Settings): Promise<{ summary: string; records: string }> {
  const reports = mkdtempSync(join(tmpdir(), "digests-"));
  try {
    const code = await runVirtually(
      {
        env: effective({ ...settings, WORLD: "virtual", REPORTS_DIR: reports }),
        ambient: {},
        loadArguments: [],
        stop: new AbortController().signal,
        onKill: () => {},
        say: (text) => assert.fail(text),
      },
      { print: () => {}, render: () => Promise.resolve() },
    );
    assert.equal(code, 0);
    const folder = join(reports, readdirSync(reports)[0] ?? "");
    const summary = JSON.parse(readFileSync(join(folder, "summary.json"), "utf8")) as RunSummary;
    return {
      summary: `${JSON.stringify(computed(summary), null, 2)}\n`.replaceAll(reports, "REPORTS"),
      records: readFileSync(join(folder, "records.ndjson"), "utf8"),
    };
  } finally {
    rmSync(reports, { recursive: true });
  }
}

/** Those that come with the lab: policies/mine.env is the user's. */
const POLICIES = policyNames(root).filter((name) => name !== "mine");

test("the policies that come with the lab are found", () => assert.ok(POLICIES.length >= 5));

for (const policy of POLICIES) {
  for (const seed of SEEDS) {
    test(`summary and records of ${policy}, seed ${seed}, are those that were committed`, async () => {
      const { summary, records } = await filesOf({ POLICY: policy, SEED: String(seed) });
      check({ [`run ${policy} ${seed} summary`]: summary, [`run ${policy} ${seed} records`]: records });
    });
  }
}

/** A cell of each experiment that runs in virtual time, by name. The fleet's runs only over HTTP: its settings are held. */
const CELLS: readonly (readonly [name: string, bytes: () => string])[] = [
  ...TRIGGERS.flatMap((trigger) =>
    ["naive", "budgeted", "owner"].map((policy) => {
      const settings = settingsOf(
        { trigger, beginsS: [10], endS: 50 + trigger.lastsS },
        usualOf(contextWith(), trigger),
      );
      return [
        `metastable ${trigger.name} ${policy}`,
        () => cell({ ...sceneOf(trigger), ...settings, POLICY: policy }),
      ] as const;
    }),
  ),
  ...ARM_GROUPS.flatMap(({ policy, arms }) =>
    arms.map((arm) => [`ablate ${arm.name}`, () => cell({ ...arm.settings, POLICY: policy })] as const),
  ),
  ...HEDGE_SCENES.flatMap((scene) =>
    scene.arms.map(
      (arm) =>
        [
          `hedge ${scene.name}, ${arm.name}`,
          () => cell({ ...CALM, ...scene.settings, ...arm.settings, DURATION_S: "20" }),
        ] as const,
    ),
  ),
  ...WIRINGS.map(
    ({ name, policy, settings }) => [`published ${name}`, () => cell({ ...settings, POLICY: policy })] as const,
  ),
  ...herdsOf(contextWith({ RATE: "100" }), [1]).map(
    (herd) => [`herd ${herd.name}`, () => JSON.stringify(runHerd(herd))] as const,
  ),
  ["sweep and frontier", () => cell({ POLICY: "owner", RATE: "90", ERROR_RATE: "0.2" })],
  [
    "map",
    () =>
      cell({
        ...HEALTHY,
        POLICY: "naive",
        RATE: "40",
        DURATION_S: "52",
        FAULT_TIMELINE: "at 10s capacity 10; at 12s capacity 90",
      }),
  ],
  ["twin, one way", () => cell({ ...oneWaySettings(60, 90), POLICY: "naive" })],
  ...SCALE_CASES.slice(0, 1).map(
    (scale) => [`scale ${scale.name}`, () => JSON.stringify(runScale(scale, "leased", 1))] as const,
  ),
  ["fan-out", () => JSON.stringify(fanOut({ requests: 200, leaves: 100, times: TAIL_AT_SCALE, seed: 1 }))],
  [
    "fleet settings",
    () => FLEET_ARMS.map(({ settings }) => JSON.stringify(chosen({ ...SCENE, ...settings }))).join("\n"),
  ],
];

test("each digest that is kept is one that is made", () => {
  const runs = POLICIES.flatMap((policy) =>
    SEEDS.flatMap((seed) => ["summary", "records"].map((file) => `run ${policy} ${seed} ${file}`)),
  );
  const made = new Set([...runs, ...CELLS.map(([name]) => name)]);
  assert.deepEqual(
    Object.keys(golden).filter((name) => !made.has(name)),
    [],
  );
});

for (const [name, bytes] of CELLS) {
  test(`${name}: what is computed is what was committed`, () => check({ [name]: bytes() }));
}
