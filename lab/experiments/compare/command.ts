/** `lab compare` and `lab assert`: each policy with each seed, and what follows from it. */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { ConfigError } from "../../../services/settings/values.ts";
import {
  check,
  parseAssertion,
  policiesIn,
  type Assertion,
  type AssertionVerdict,
} from "../assert/assertion.ts";
import { comparisonOf, type Comparison } from "../../runs/comparison.ts";
import { comparisonCsv, comparisonText } from "./text.ts";
import {
  experimentFolder,
  runnerParts,
  saveJson,
  settingsForEach,
  type ExperimentContext,
} from "../../runs/context.ts";
import { progressBar } from "../../runs/progress-bar.ts";
import { runEach, type ExperimentWorld, type NamedEnv } from "../../runs/runner.ts";

export interface CompareRequest {
  readonly policies: readonly string[];
  /** Seeds for each policy, 1 or more. */
  readonly repeat: number;
  readonly world: ExperimentWorld;
}

/** Seed by seed, so that a comparison over HTTP is fair also where the machine gets busy. */
export function runsToCompare(
  context: ExperimentContext,
  { policies, repeat, world }: CompareRequest,
): NamedEnv[] {
  const first = Number(context.settingsFor({})["SEED"] ?? 1);
  const seeds = Array.from({ length: repeat }, (_, i) => String(first + i));
  const overrides = seeds.flatMap((SEED) =>
    [...new Set(policies)].map((POLICY) => ({ POLICY, SEED, WORLD: world })),
  );
  return settingsForEach(context, overrides).map((env) => ({
    name: `${env["POLICY"]}-seed-${env["SEED"]}`,
    env,
  }));
}

/** Makes the runs of `request`, with those of the first policy first. */
export async function compare(
  context: ExperimentContext,
  request: CompareRequest,
  folder: string,
): Promise<Comparison> {
  const runs = runsToCompare(context, request);
  const summaries: RunSummary[] = [];
  const bar = progressBar("runs", runs.length);
  try {
    await runEach(runs, runnerParts(context, request.world, folder), (_, { summary }) => {
      summaries.push(summary);
      bar.step();
    });
  } finally {
    bar.end();
  }
  const place = ({ policy }: RunSummary): number => request.policies.indexOf(policy);
  return comparisonOf(summaries.toSorted((a, b) => place(a) - place(b)));
}

function shown(comparison: Comparison, folder: string, json: boolean): string {
  return json ? JSON.stringify(comparison, null, 2) : `${comparisonText(comparison)}\nSaved in ${folder}`;
}

/** Compares, prints and saves. The exit code: 1 where a run was not valid. */
export async function compareCommand(
  context: ExperimentContext,
  request: CompareRequest & { readonly json: boolean },
): Promise<number> {
  const folder = experimentFolder(context, `comparison-${context.stamp}`);
  const comparison = await compare(context, request, folder);
  saveJson(folder, "comparison.json", comparison);
  writeFileSync(join(folder, "comparison.csv"), comparisonCsv(comparison));
  context.print(shown(comparison, folder, request.json));
  return comparison.policies.every(({ runs, validRuns }) => runs === validRuns) ? 0 : 1;
}

function parseAll(texts: readonly string[]): Assertion[] {
  const parsed = texts.map(parseAssertion);
  const faults = parsed.flatMap((one) => ("text" in one ? [] : one));
  if (faults.length > 0) throw new ConfigError(faults);
  return parsed.flatMap((one) => ("text" in one ? [one] : []));
}

function readComparison(path: string): Comparison {
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, "comparison.json") : path;
  let comparison: Comparison;
  try {
    comparison = JSON.parse(readFileSync(file, "utf8")) as Comparison;
  } catch (error) {
    throw new ConfigError([`--from ${path}: no comparison can be read there: ${(error as Error).message}`]);
  }
  if (comparison.schema !== 1 || !Array.isArray(comparison.policies)) {
    throw new ConfigError([`--from ${file}: this is not a comparison that "lab compare" has left.`]);
  }
  return comparison;
}

export interface AssertRequest {
  readonly texts: readonly string[];
  /** A comparison that was made before: its folder, or its comparison.json. undefined: make one. */
  readonly from: string | undefined;
  readonly repeat: number;
  readonly world: ExperimentWorld;
  readonly json: boolean;
}

/** What was found of all that was asserted. */
interface Findings {
  /** All of it held, and every run was valid. */
  readonly holds: boolean;
  readonly assertions: readonly AssertionVerdict[];
  /** Policies of which not every run was valid. */
  readonly invalid: readonly { readonly policy: string; readonly runs: number; readonly validRuns: number }[];
}

function findingsOf(assertions: readonly Assertion[], comparison: Comparison): Findings {
  const verdicts = assertions.map((assertion) => check(assertion, comparison));
  const invalid = comparison.policies
    .filter(({ runs, validRuns }) => validRuns < runs)
    .map(({ policy, runs, validRuns }) => ({ policy, runs, validRuns }));
  const holds = invalid.length === 0 && verdicts.every((verdict) => verdict.holds);
  return { holds, assertions: verdicts, invalid };
}

function findingsText({ assertions, invalid }: Findings): string {
  return [
    ...assertions.map(({ text, holds, found }) => `${holds ? "holds" : "FAILS"}  ${text}  (${found})`),
    ...invalid.map(
      ({ policy, runs, validRuns }) => `FAILS  ${policy}: only ${validRuns} of ${runs} runs were valid`,
    ),
  ].join("\n");
}

function missingIn(comparison: Comparison, assertions: readonly Assertion[]): string[] {
  const there = comparison.policies.map(({ policy }) => policy);
  const missing = new Set(assertions.flatMap(policiesIn).filter((policy) => !there.includes(policy)));
  return [...missing].map((policy) => `${policy} is not in this comparison; it has ${there.join(", ")}.`);
}

/** Prints each assertion with what was found. The exit code: 0 where all hold and every run was valid, else 1. */
export async function assertCommand(context: ExperimentContext, request: AssertRequest): Promise<number> {
  const assertions = parseAll(request.texts);
  const policies = [...new Set(assertions.flatMap(policiesIn))];
  if (policies.length === 0)
    throw new ConfigError(["no assertion speaks of a policy: there is nothing to run."]);
  const comparison =
    request.from === undefined
      ? await compare(context, { ...request, policies }, experimentFolder(context, `assert-${context.stamp}`))
      : readComparison(request.from);
  const missing = missingIn(comparison, assertions);
  if (missing.length > 0) throw new ConfigError(missing);
  const findings = findingsOf(assertions, comparison);
  context.print(request.json ? JSON.stringify(findings, null, 2) : findingsText(findings));
  return findings.holds ? 0 : 1;
}
