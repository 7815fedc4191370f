/**
 * What a sweep varies: `NAME=from..to:step`, or `NAME=one,two,three`.
 *
 * The end of a range belongs to it where a whole number of steps reaches it. Values are computed from the start each
 * time, so that steps of 0.1 do not drift.
 */

import { ConfigError } from "../../../services/settings/values.ts";

export interface Axis {
  readonly name: string;
  /** As they are written in a setting; one or more, all different. */
  readonly values: readonly string[];
}

/** A larger sweep is a slip: it would run for hours. */
const MOST_CELLS = 20_000;

const RANGE = /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/;

/** Drops what binary fractions add: 0.1 · 3 is written as 0.3. */
const decimal = (value: number): string => String(Number(value.toPrecision(12)));

function rangeValues(from: number, to: number, step: number): string[] | string {
  if (step === 0) return "the step must be more than 0";
  if (to < from) return `${to} is below ${from}: a range rises`;
  const steps = Math.floor((to - from) / step + 1e-9);
  if (steps >= MOST_CELLS) return `that is more than ${MOST_CELLS} values`;
  return Array.from({ length: steps + 1 }, (_, i) => decimal(from + i * step));
}

/** The axis, or what is wrong with the text. */
export function parseAxis(text: string): Axis | string {
  const match = /^([A-Z][A-Z0-9_]*)=(.+)$/.exec(text);
  if (match === null) return `--vary ${text}: it must read like RATE=20..120:5 or BUDGET=none,token-bucket`;
  const [, name = "", right = ""] = match;
  const range = RANGE.exec(right);
  if (range === null && right.includes("..")) return `--vary ${text}: a range must read like 20..120:5`;
  const values =
    range === null
      ? right.split(",").map((value) => value.trim())
      : rangeValues(Number(range[1]), Number(range[2]), Number(range[3]));
  if (typeof values === "string") return `--vary ${text}: ${values}`;
  if (new Set(values).size < values.length) return `--vary ${text}: a value stands there twice`;
  return { name, values };
}

/** Every combination, the last axis changing fastest. */
export function combinations(axes: readonly Axis[]): Record<string, string>[] {
  return axes.reduce<Record<string, string>[]>(
    (cells, { name, values }) => cells.flatMap((cell) => values.map((value) => ({ ...cell, [name]: value }))),
    [{}],
  );
}

/** @throws ConfigError with every fault of every axis */
export function axesOf(texts: readonly string[]): Axis[] {
  const parsed = texts.map(parseAxis);
  const faults = parsed.filter((one) => typeof one === "string");
  const axes = parsed.filter((one) => typeof one !== "string");
  const names = axes.map(({ name }) => name);
  if (new Set(names).size < names.length)
    faults.push("--vary: a setting is varied twice; give all its values at once.");
  if (names.includes("POLICY")) faults.push("--vary POLICY: name several policies with --policy a,b instead.");
  if (names.includes("SEED")) faults.push("--vary SEED: use --repeat, which takes the middle of several seeds.");
  const cells = axes.reduce((product, { values }) => product * values.length, 1);
  if (cells > MOST_CELLS) faults.push(`--vary: that is ${cells} cells; at most ${MOST_CELLS} are computed at once.`);
  if (faults.length > 0) throw new ConfigError(faults);
  return axes;
}
