/**
 * Every experiment meets every knob: one that is typed changes the settings of some run, or is refused by name. Both come
 * from the registries, so a new experiment or a new knob is in here by itself.
 *
 * Each experiment is performed as its command does it, in a context that is stopped before its first run: by then all
 * settings have been made.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hopName, type Knob, type Need } from "../../services/settings/knobs/knob.ts";
import { knobNamed, KNOBS } from "../../services/settings/knobs/knobs.ts";
import { ConfigError } from "../../services/settings/values.ts";
import { RunFailed, Stopped } from "../runs/stopped.ts";
import { contextWith } from "../runs/testdata/context.ts";
import type { Verb } from "../runs/verb.ts";
import { labProgram } from "./program.ts";
import { VERBS } from "./verbs.ts";

const reports = mkdtempSync(join(tmpdir(), "knobs-"));
after(() => rmSync(reports, { recursive: true }));

type Settings = Readonly<Record<string, string>>;

const EXPERIMENTS = VERBS.filter(({ perform }) => perform !== undefined);

/** What has to stand behind a verb so that it makes runs at all. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  sweep: ["--vary", "RETRY_OWNER=0,1"],
  assert: ["budgeted.success > naive.success"],
  map: ["--load", "5,10", "--length", "1"],
};

/** Settings that hold elsewhere than in the runs that are made first. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  // The virtual half is made after the runs over HTTP, with it.
  twin: ["ONE_WAY_MS"],
  // Their models are no runs of the settings.
  scale: ["SEED", "REPORTS_DIR"],
  "fan-out": ["SEED", "REPORTS_DIR"],
};

interface Planned {
  readonly refused: string;
  /** The settings of all runs. */
  readonly envs: readonly Settings[];
}

/** What the experiment makes of what was typed. */
async function planOf({ name, perform }: Verb, typed: Settings): Promise<Planned> {
  const command = labProgram({ root: "", environment: {} }).commands.find((one) => one.name() === name);
  assert.ok(command !== undefined && perform !== undefined);
  const stop = new AbortController();
  stop.abort();
  const envs: Settings[] = [];
  const base = contextWith({ REPORTS_DIR: reports, ...typed });
  const context = {
    ...base,
    interrupt: { stop: stop.signal, onKill: () => {} },
    settingsFor: (overrides: Settings) => {
      const env = base.settingsFor(overrides);
      if (Object.keys(overrides).length > 0) envs.push(env);
      return env;
    },
  };
  let refused = "";
  command.action(async () => {
    try {
      await perform(command, context);
    } catch (error) {
      if (error instanceof ConfigError) refused = error.message;
      else if (!(error instanceof Stopped || error instanceof RunFailed)) throw error;
    }
  });
  const once = command.options.some(({ long }) => long === "--repeat") ? ["--repeat", "1"] : [];
  await command.parseAsync([...(WORDS[name] ?? []), ...once], { from: "user" });
  return { refused, envs };
}

const other = (values: readonly string[], than: string): string => values.find((value) => value !== than) ?? than;

const TEXTS: Readonly<Record<string, string>> = {
  POLICY: "owner",
  SCENARIO: "other",
  TIERS: "api",
  RETRY_ON: "connect",
  RATE_PROFILE: "at 1s rate 7",
  FAULT_TIMELINE: "at 1s error 0",
  REPORTS_DIR: join(reports, "elsewhere"),
  HOST: "::1",
  UPSTREAM_URL: "http://127.0.0.1:9",
  CHAIN: "edge=http://127.0.0.1:9",
  BUDGET_STORE_URL: "redis://127.0.0.1:9",
};

/** Another value than the default, well within the range. */
function otherValue(knob: Knob): string {
  switch (knob.kind) {
    case "flag":
      return knob.default === "0" ? "1" : "0";
    case "choice":
      return other(knob.choices, knob.default);
    case "text":
      return TEXTS[knob.name] ?? assert.fail(`${knob.name}: give it a value in TEXTS`);
    case "number": {
      const { min, max, whole } = knob.range;
      const near = Number(knob.default) * 1.5;
      const wanted = Number.isNaN(near) ? (min + Math.min(max, 40)) / 2 : near;
      const value = Math.min(max, wanted === 0 ? (min + Math.min(max, 1)) / 2 : wanted);
      const text = String(whole === true ? Math.ceil(value) : Number(value.toPrecision(4)));
      return text === knob.default ? String(min) : text;
    }
  }
}

const metBy = ({ knob, is, isNot = [] }: Need): string => {
  const decider = knobNamed(knob);
  assert.ok(decider);
  const candidates = is ?? (decider.kind === "choice" ? decider.choices : [otherValue(decider)]);
  return candidates.find((value) => !isNot.includes(value) && value !== decider.default) ?? candidates[0] ?? "";
};

/** What must be typed with a knob so that it has an effect at all. */
function company(knob: Knob): Settings {
  const needed = new Map<string, string>();
  const add = ({ needs = [] }: Knob): void => {
    for (const need of needs) {
      if (needed.has(need.knob)) continue;
      needed.set(need.knob, metBy(need));
      add(knobNamed(need.knob) as Knob);
    }
  };
  add(knob);
  needed.delete(knob.name);
  return Object.fromEntries(needed);
}

/** A knob by itself, and for one hop where that can be. */
const NAMES: readonly (readonly [name: string, knob: Knob])[] = KNOBS.flatMap((knob) => [
  [knob.name, knob] as const,
  ...(knob.perHop === true ? [[hopName("api", knob.name), knob] as const] : []),
]);

/** What becomes of one knob that is typed, where that is wrong; nothing otherwise. */
async function faultOf(verb: Verb, name: string, knob: Knob): Promise<string[]> {
  const [value, beside] = [otherValue(knob), company(knob)];
  const { refused, envs } = await planOf(verb, { ...beside, [name]: value });
  if (refused !== "") {
    // What a knob needs may be what is refused: then that is named, and there is no more to it.
    const isNamed = [name, ...Object.keys(beside)].some((one) => new RegExp(`\\b${one}\\b`).test(refused));
    return isNamed ? [] : [`${name} is refused without its name: ${refused}`];
  }
  const holds = envs.some((env) => env[name] === value);
  return holds || ELSEWHERE[verb.name]?.includes(name) === true ? [] : [`${name}=${value} is ignored: no run has it`];
}

for (const verb of EXPERIMENTS) {
  test(`${verb.name}: each knob that is typed changes the settings of some run, or is refused by name`, async () => {
    const faults: string[] = [];
    for (const [name, knob] of NAMES) faults.push(...(await faultOf(verb, name, knob)));
    assert.deepEqual(faults, []);
  });
}

test("Names that every object knows are refused as strangers, in words for people", async () => {
  for (const verb of EXPERIMENTS)
    for (const name of ["constructor", "__proto__", "toString"]) {
      const { refused } = await planOf(verb, Object.fromEntries([[name, "5"]]));
      assert.match(refused, new RegExp(`${name}(=.*Leave it out| is not a setting)`), verb.name);
      assert.doesNotMatch(refused, /sets that itself|native code|\[object/, verb.name);
    }
});

test("Every experiment makes runs where nothing is typed", async () => {
  assert.ok(EXPERIMENTS.length > 10);
  for (const verb of EXPERIMENTS) {
    const { refused, envs } = await planOf(verb, {});
    assert.equal(refused, "", verb.name);
    assert.ok(envs.length > 0 || ["scale", "fan-out"].includes(verb.name), verb.name);
  }
});
