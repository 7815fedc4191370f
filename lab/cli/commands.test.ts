/** The commands as a user meets them, in virtual time and short. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { TERMINAL_WIDTH } from "../../loadgen/output/narrow-text.ts";
import { nodeArguments } from "../../services/real-time/node-arguments.ts";

const reports = mkdtempSync(join(tmpdir(), "experiments-"));
after(() => rmSync(reports, { recursive: true }));

function lab(...words: string[]) {
  return spawnSync(process.execPath, [...nodeArguments("lab/cli/main"), ...words], {
    encoding: "utf8",
    env: {
      NO_COLOR: "1",
      REPORTS_DIR: reports,
      DURATION_S: "3",
      LAB_OVERRIDES: "REPORTS_DIR",
    },
  });
}

test("compare leaves a comparison that assert reads, and assert's exit status is its verdict", () => {
  const compared = lab("compare", "naive", "budgeted", "--repeat", "2", "--json");
  assert.equal(compared.status, 0, compared.stderr);
  const { policies } = JSON.parse(compared.stdout) as { policies: { policy: string; runs: number }[] };
  assert.deepEqual(
    policies.map(({ policy, runs }) => [policy, runs]),
    [
      ["naive", 2],
      ["budgeted", 2],
    ],
  );
  const folder = readdirSync(reports).find((name) => name.startsWith("comparison-")) ?? "";
  const from = ["--from", join(reports, folder)];
  assert.equal(lab("assert", "budgeted.amplification < 1.6", ...from).status, 0);
  const both = ["budgeted.amplification < 1.6", "naive.amplification < 1.2"];
  const failed = lab("assert", ...both, ...from);
  assert.equal(failed.status, 1);
  assert.match(failed.stdout, /holds {2}budgeted.*\nFAILS {2}naive/);
  const { holds, assertions, invalid } = JSON.parse(lab("assert", ...both, ...from, "--json").stdout) as {
    holds: boolean;
    assertions: { text: string; holds: boolean }[];
    invalid: unknown[];
  };
  assert.deepEqual([holds, invalid], [false, []]);
  assert.deepEqual(
    assertions.map((one) => [one.text, one.holds]),
    [
      [both[0], true],
      [both[1], false],
    ],
  );
  assert.equal(lab("assert", "owner.success > 1%", ...from).status, 2);
});

test("what is printed is no wider than a terminal, but for where it is saved", () => {
  const { stdout } = lab("compare", "naive", "budgeted", "owner", "--repeat", "2");
  assert.match(stdout, /budgeted/);
  for (const line of stdout.split("\n")) assert.ok(line.length <= TERMINAL_WIDTH || line.includes(reports), line);
});

test("a sweep that was stopped computes only what is missing", () => {
  const words = ["sweep", "--vary", "RATE=20,40", "--vary", "ERROR_RATE=0,0.4"];
  const first = lab(...words);
  assert.equal(first.status, 0, first.stderr);
  const name = readdirSync(reports).find((one) => one.startsWith("sweep-")) ?? "";
  const file = join(reports, name, "cells.jsonl");
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  assert.equal(lines.length, 4);
  const csv = readFileSync(join(reports, name, "sweep.csv"), "utf8");
  const page = /^The page: (.*report\.html)$/m.exec(first.stdout)?.[1] ?? "";
  assert.match(readFileSync(page, "utf8"), /computed: can be healthy below[^]*data-chart="map"/);
  writeFileSync(file, lines.slice(0, 3).join("\n"));
  const second = lab(...words);
  assert.match(second.stdout, /3 cells were there from before/);
  assert.equal(readFileSync(join(reports, name, "sweep.csv"), "utf8"), csv);
});

test("every fault of a command is told at once, and nothing is started", () => {
  const { status, stderr } = lab("sweep", "--vary", "RATE=5..1:1", "--vary", "SEED=1,2");
  assert.equal(status, 2);
  assert.match(stderr, /a range rises/);
  assert.match(stderr, /use --repeat/);
  const map = lab("map", "naive", "--load", "x", "--length", "0");
  assert.equal(map.status, 2);
  assert.match(map.stderr, /--load x: numbers from 0\.1 to 100000[^]*--length 0: numbers from 0\.01 to 600/);
  const unknown = lab("metastable", "--trigger", "meteor", "--world", "virtual");
  assert.equal(unknown.status, 2);
  assert.match(unknown.stderr, /There are: capacity-dip/);
});
