/** The whole twin, with "HTTP" made in virtual time too, and with settings of its own where it is to differ. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, describe, test } from "node:test";
import { ConfigError } from "../../../services/settings/values.ts";
import type { ExperimentContext } from "../../runs/context.ts";
import { Stopped } from "../../runs/stopped.ts";
import { contextWith } from "../../runs/testdata/context.ts";
import { twinAgainstHttp } from "./command.ts";
import type { TwinResult } from "./experiment.ts";
import type { TwinRequest } from "./cases.ts";
import type { MakeRuns } from "./runs.ts";
import { makeVirtualRun } from "../../runs/virtual-run.ts";

const reports = mkdtempSync(join(tmpdir(), "twin-"));
after(() => rmSync(reports, { recursive: true }));

const said: string[] = [];
const printed: string[] = [];
const made: string[] = [];

beforeEach(() => {
  for (const list of [said, printed, made]) list.length = 0;
  for (const name of readdirSync(reports)) rmSync(join(reports, name), { recursive: true });
});

function contextOf(typed: Readonly<Record<string, string>>, json: boolean): ExperimentContext {
  return {
    ...contextWith({ REPORTS_DIR: reports, DURATION_S: "4", ...typed }),
    json,
    say: (text) => said.push(text),
    print: (text) => printed.push(text),
  };
}

interface Behaviour {
  /** What holds over HTTP and not in the prediction. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly isInvalid?: (name: string) => boolean;
  /** The user stops it before this run, counted from 0. */
  readonly stopsAt?: number;
}

const http = ({ settings = {}, isInvalid = () => false, stopsAt = Infinity }: Behaviour): MakeRuns =>
  function make(runs, _, read) {
    return Promise.resolve().then(() =>
      runs.map((run) => {
        if (made.length === stopsAt) throw new Stopped();
        made.push(run.name.replace(/-test$/, ""));
        const result = makeVirtualRun({ ...run.env, WORLD: "virtual", ...settings });
        const verdict = isInvalid(run.name) ? { valid: false, invalidReasons: ["the machine was saturated"] } : {};
        return read(run, { ...result, summary: { ...result.summary, ...verdict } });
      }),
    );
  };

const REQUEST: TwinRequest = {
  policies: ["budgeted", "owner"],
  repeat: 2,
  bistable: ["naive"],
  bistableRepeat: 20,
  triggers: [],
};

const twin = (behaviour: Behaviour, typed = {}, request = REQUEST, json = true): Promise<number> =>
  twinAgainstHttp(contextOf(typed, json), request, http(behaviour));

const result = (): TwinResult => JSON.parse(printed.at(-1) ?? "") as TwinResult;

describe("make twin", { concurrency: 1 }, () => {
  test("Worlds that agree give exit code 0, a verdict for each policy, and the one-way latency as it was measured", async () => {
    assert.equal(await twin({ settings: { ONE_WAY_MS: "1.1" } }), 0);
    const { way, verdicts } = result();
    assert.deepEqual(way, { ms: 1.1, from: "measured" });
    assert.deepEqual(
      verdicts.map(({ policy, verdict, validRuns }) => [policy, verdict, validRuns]),
      [
        ["budgeted", "agrees", 2],
        ["owner", "agrees", 2],
      ],
    );
    assert.match(said[0] ?? "", /5 runs over HTTP, .*about 1 min/);
  });

  test("A backend that is not as configured is noticed: exit code 1, and the measure is named", async () => {
    assert.equal(await twin({ settings: { ERROR_RATE: "0.6" } }, { ONE_WAY_MS: "0.4" }), 1);
    const [budgeted] = result().verdicts;
    assert.equal(budgeted?.verdict, "disagrees");
    assert.equal(budgeted.measures.find(({ measure }) => measure === "success")?.agrees, false);
  });

  test("A one-way latency that the user gave is not measured, and one that is far off is noticed in the p50", async () => {
    assert.equal(await twin({ settings: { ONE_WAY_MS: "5" } }, { ONE_WAY_MS: "0.4" }), 1);
    const { way, verdicts } = result();
    assert.deepEqual(way, { ms: 0.4, from: "given" });
    assert.ok(made.every((name) => !name.startsWith("one-way")));
    for (const { measures } of verdicts) assert.equal(measures.find(({ measure }) => measure === "p50")?.agrees, false);
  });

  test("The naive policy is judged by distribution, over twenty seeds", async () => {
    assert.equal(await twin({}, {}, { ...REQUEST, policies: ["naive"] }), 0);
    const [naive] = result().verdicts;
    assert.deepEqual([naive?.by, naive?.validRuns, naive?.verdict], ["distribution", 20, "agrees"]);
  });

  test("The table, the CSV and the JSON hold every measure of every policy", async () => {
    await twin({}, {}, REQUEST, false);
    const text = printed.join("\n");
    for (const row of ["succeeded", "amplification", "p50"]) assert.match(text, new RegExp(`${row}.*agrees`));
    assert.match(text, /owner, reference: HTTP and virtual time agree within the tolerances/);
    const [name = ""] = readdirSync(reports);
    assert.equal(
      readFileSync(join(reports, name, "twin.csv"), "utf8")
        .trimEnd()
        .split("\n").length,
      1 + 6,
    );
    const saved = JSON.parse(readFileSync(join(reports, name, "twin.json"), "utf8")) as TwinResult;
    assert.equal(saved.verdicts.length, 2);
  });
});

describe("Over HTTP, where runs take their time,", { concurrency: 1 }, () => {
  test("an INVALID run is named and made once more", async () => {
    assert.equal(await twin({ isInvalid: (name) => /budgeted-seed-1-first/.test(name) }), 0);
    assert.deepEqual(
      made.filter((name) => name.includes("budgeted-seed-1")),
      ["reference-budgeted-seed-1-first", "reference-budgeted-seed-1-again"],
    );
    assert.match(said.join("\n"), /budgeted-seed-1.* is INVALID and does not count: the machine was saturated/);
  });

  test("too few valid runs give no verdict and exit code 1; the same command makes the missing ones only", async () => {
    assert.equal(await twin({ isInvalid: (name) => name.includes("owner") }), 1);
    const owner = result().verdicts[1];
    assert.equal(owner?.verdict, "too few valid runs");
    assert.equal(owner.invalid.length, 2);
    made.length = 0;
    assert.equal(await twin({}), 0);
    assert.deepEqual(made, ["reference-owner-seed-1-first", "reference-owner-seed-2-first"]);
  });

  test("a one-way latency that could not be measured leaves the model's own", async () => {
    assert.equal(await twin({ isInvalid: (name) => name.startsWith("one-way") }), 0);
    assert.deepEqual(result().way, { ms: 0.4, from: "invalid" });
  });

  test("what was measured before a Ctrl-C is kept, and a finished check begins anew", async () => {
    await assert.rejects(twin({ stopsAt: 3 }), Stopped);
    assert.match(said.at(-1) ?? "", /3 of 5 runs are valid and kept.*the same command goes on/);
    made.length = 0;
    assert.equal(await twin({}), 0);
    assert.equal(made.length, 2);
    made.length = 0;
    assert.equal(await twin({}), 0);
    assert.equal(made.length, 5);
  });

  test("a world cannot be chosen, and wrong settings are told before anything is made", async () => {
    await assert.rejects(twin({}, { WORLD: "virtual" }), ConfigError);
    await assert.rejects(twin({}, { RATE: "fast" }), ConfigError);
    await assert.rejects(twin({}, {}, { ...REQUEST, policies: ["nobody"] }), ConfigError);
    assert.deepEqual(made, []);
    assert.deepEqual(readdirSync(reports), []);
  });
});
