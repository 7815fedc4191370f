/**
 * What must hold of a comparison, in words that fit a line of CI:
 *
 *     assertion = side ("<" | "<=" | ">" | ">=") side
 *     side      = policy "." metric [ "." end ]  |  number [ "%" | "x" | "ms" | "s" ]
 *     metric    = one of measures.ts           end = median (where absent), low, high, min, max
 *
 * For example `budgeted.amplification < 1.6`, `owner.success.low > naive.success.high`, `budgeted.p99 < 1.2s`.
 */
import { policyName } from "../../../services/settings/knobs/run.ts";
import { ConfigError } from "../../../services/settings/values.ts";
import { list } from "../../../loadgen/core/format.ts";
import type { Comparison } from "../../runs/comparison.ts";
import { isMeasureName, MEASURE_NAMES, type MeasureName } from "../../runs/measures.ts";
import type { Estimate } from "../../runs/statistics.ts";

const ENDS: readonly (keyof Estimate)[] = ["median", "low", "high", "min", "max"];

interface Reference {
  readonly policy: string;
  readonly metric: MeasureName;
  readonly end: keyof Estimate;
}

export type AssertedSide = number | Reference;

export interface Assertion {
  readonly text: string;
  readonly left: AssertedSide;
  readonly operator: "<" | "<=" | ">" | ">=";
  readonly right: AssertedSide;
}

export interface AssertionVerdict {
  readonly text: string;
  readonly holds: boolean;
  /** What was compared, such as "1.44 < 1.6", or what was not measured. */
  readonly found: string;
}

const FACTORS: Readonly<Record<string, number>> = { "": 1, "%": 0.01, x: 1, ms: 1, s: 1000 };

function parseSide(text: string): AssertedSide | string {
  const number = /^(\d+(?:\.\d+)?)\s*(%|x|ms|s|)$/.exec(text);
  if (number !== null) return Number(number[1]) * (FACTORS[number[2] ?? ""] ?? 1);
  const [policy = "", name = "", end = "median", ...more] = text.split(".");
  if (policyName(policy).length > 0 || name === "" || more.length > 0) {
    return `"${text}" must be a number (with %, x, ms or s) or policy.metric, such as budgeted.amplification`;
  }
  if (!isMeasureName(name)) return `"${name}" is not a metric: use ${MEASURE_NAMES.join(", ")}`;
  const known = ENDS.find((one) => one === end);
  if (known === undefined) return `"${end}" is not an end of an estimate: use ${ENDS.join(", ")}`;
  return { policy, metric: name, end: known };
}

/** The assertion, or what is wrong with it: every fault. */
export function parseAssertion(text: string): Assertion | readonly string[] {
  const parts = /^\s*([^<>=]+?)\s*(<=|>=|<|>)\s*([^<>=]+?)\s*$/.exec(text);
  if (parts === null) return [`"${text}" must read like "budgeted.amplification < 1.6"`];
  const [left, right] = [parseSide(parts[1] ?? ""), parseSide(parts[3] ?? "")];
  const faults = [left, right].filter((side) => typeof side === "string").map((fault) => `${text}: ${fault}`);
  if (typeof left === "string" || typeof right === "string") return faults;
  return { text, left, operator: parts[2] as Assertion["operator"], right };
}

/** @throws ConfigError with every fault of every text */
export function parseAll(texts: readonly string[]): Assertion[] {
  const parsed = texts.map(parseAssertion);
  const faults = parsed.flatMap((one) => ("text" in one ? [] : one));
  if (faults.length > 0) throw new ConfigError(faults);
  return parsed.flatMap((one) => ("text" in one ? [one] : []));
}

/** The policies that an assertion speaks of. */
export function policiesIn({ left, right }: Assertion): string[] {
  return [left, right].flatMap((side) => (typeof side === "number" ? [] : [side.policy]));
}

/** null where nothing was measured. */
function valueOf(side: AssertedSide, { policies }: Comparison): number | null {
  if (typeof side === "number") return side;
  const found = policies.find(({ policy }) => policy === side.policy);
  if (found === undefined) throw new RangeError(`the comparison has no policy ${side.policy}`);
  return found.metrics[side.metric]?.[side.end] ?? null;
}

const HOLDS: Readonly<Record<Assertion["operator"], (a: number, b: number) => boolean>> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

const nameOf = (side: AssertedSide): string =>
  typeof side === "number" ? String(side) : `${side.policy}.${side.metric}`;

const shown = (value: number): string => String(Math.round(value * 10_000) / 10_000);

/** @throws RangeError when the comparison lacks a policy that the assertion speaks of */
export function check({ text, left, operator, right }: Assertion, comparison: Comparison): AssertionVerdict {
  const [a, b] = [valueOf(left, comparison), valueOf(right, comparison)];
  if (a === null || b === null) {
    const names = [a === null ? left : [], b === null ? right : []].flat().map(nameOf);
    return { text, holds: false, found: `${list(names)}: nothing was measured, so nothing can be said of it` };
  }
  return { text, holds: HOLDS[operator](a, b), found: `${shown(a)} ${operator} ${shown(b)}` };
}
