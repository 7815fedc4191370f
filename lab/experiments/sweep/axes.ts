/**
 * What a sweep varies: `NAME=from..to:step`, or `NAME=one,two,three`.
 *
 * The end of a range belongs to it where a whole number of steps reaches it. Values are computed from the start each
 * time, so that steps of 0.1 do not drift.
 */

import type { Knob } from "../../../services/settings/knobs/knob.ts";
import { knobNamed } from "../../../services/settings/knobs/knobs.ts";
import { parseSetting } from "../../../services/settings/parse-setting.ts";
import { splitHopName } from "../../../services/settings/unknown-names.ts";
import { ConfigError } from "../../../services/settings/values.ts";

export interface Axis {
  readonly name: string;
  /** As they are written in a setting; one or more, all different. */
  readonly values: readonly string[];
}

/** A larger sweep is a slip: it would run for hours. */
const MOST_CELLS = 20_000;

/** What no sweep can go over, and what to do instead. */
const NOT_VARIED: ReadonlyMap<string, string> = new Map([
  ["POLICY", "name several policies with --policy a,b instead"],
  ["SEED", "use --repeat, which takes the middle of several seeds"],
  ["WORLD", "a sweep is made in one world. Use --world; bin/lab twin compares two"],
  ["REPORTS_DIR", "it changes no result. Type it behind the verb"],
  ["SCENARIO", "it is a name, and changes no result. Type it behind the verb"],
  ["LOG_LEVEL", "it changes no result. Type it behind the verb"],
  ["TIERS", "its values have commas of their own. Make a sweep for each chain"],
]);

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

/** 0.1 and 0.10 are one value. What is none is told with all else that is wrong with the settings. */
function canonical(knob: Knob | undefined, value: string): string {
  if (knob === undefined) return value;
  const parsing = parseSetting(knob, knob.name, value);
  return "parsed" in parsing ? parsing.parsed.text : value;
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
  const knob = knobNamed(name) ?? knobNamed(splitHopName(name)?.knob ?? "");
  if (knob?.kind !== "text" && values.includes("")) return `--vary ${text}: a value is missing`;
  const written = values.map((value) => canonical(knob, value));
  if (new Set(written).size < values.length) return `--vary ${text}: a value stands there twice`;
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
  for (const name of new Set(names)) if (NOT_VARIED.has(name)) faults.push(`--vary ${name}: ${NOT_VARIED.get(name)}.`);
  const cells = axes.reduce((product, { values }) => product * values.length, 1);
  if (cells > MOST_CELLS) faults.push(`--vary: that is ${cells} cells; at most ${MOST_CELLS} are computed at once.`);
  if (faults.length > 0) throw new ConfigError(faults);
  return axes;
}
