/** `bin/lab assert`: what holds of a comparison, made for it or made before. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../../../services/settings/values.ts";
import { checked, storedJson } from "../../report/data/stored.ts";
import { COMPARISON_FORM, type Comparison } from "../../runs/comparison.ts";
import { check, policiesIn, type Assertion, type AssertionVerdict } from "./assertion.ts";

/** What was found of all that was asserted. */
export interface Findings {
  /** All of it held, and every run was valid. */
  readonly holds: boolean;
  readonly assertions: readonly AssertionVerdict[];
  /** Policies of which not every run was valid. */
  readonly invalid: readonly { readonly policy: string; readonly runs: number; readonly validRuns: number }[];
}

/** @param path a comparison's folder, or its comparison.json @throws ReportError where there is none */
export function readComparison(path: string): Comparison {
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, "comparison.json") : path;
  return checked(COMPARISON_FORM, storedJson(file), `--from ${file}`, 'a comparison that "bin/lab compare" has left');
}

/** @throws ConfigError with every policy that is asserted something of and was not compared */
export function findingsOf(assertions: readonly Assertion[], comparison: Comparison): Findings {
  const there = comparison.policies.map(({ policy }) => policy);
  const missing = new Set(assertions.flatMap(policiesIn).filter((policy) => !there.includes(policy)));
  if (missing.size > 0) {
    const has = there.join(", ").slice(0, 500);
    throw new ConfigError([...missing].map((policy) => `${policy} is not in this comparison; it has ${has}.`));
  }
  const verdicts = assertions.map((assertion) => check(assertion, comparison));
  const invalid = comparison.policies
    .filter(({ runs, validRuns }) => validRuns < runs)
    .map(({ policy, runs, validRuns }) => ({ policy, runs, validRuns }));
  const holds = invalid.length === 0 && verdicts.every((verdict) => verdict.holds);
  return { holds, assertions: verdicts, invalid };
}
