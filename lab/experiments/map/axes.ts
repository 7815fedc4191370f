/** The loads and the lengths of the dip that `bin/lab map` goes through, as they are typed. */
import { ConfigError } from "../../../services/settings/values.ts";
import { parseAxis } from "../sweep/axes.ts";

/** A longer dip is a slip: each run would take hours of virtual time. */
const LONGEST_S = 600;
const MOST_RUNS = 5000;

export interface DipAxes {
  /** Client requests a second; ascending. */
  readonly loads: readonly number[];
  /** Seconds; ascending, each more than 0. */
  readonly lengths: readonly number[];
}

/** @param typed such as 10..80:10 @param runsOfEach of each load and length @throws ConfigError with the faults of both */
export function dipAxesOf(typed: { readonly load: string; readonly length: string }, runsOfEach: number): DipAxes {
  const faults: string[] = [];
  const numbers = (option: string, text: string, least: number, most: number): number[] => {
    const axis = parseAxis(`VALUES=${text}`);
    if (typeof axis === "string") faults.push(axis.replace("--vary VALUES=", `${option} `));
    const values = typeof axis === "string" ? [] : axis.values.map(Number);
    const wrong = values.filter((value) => !(value >= least && value <= most));
    if (wrong.length > 0) faults.push(`${option} ${text}: numbers from ${least} to ${most} are needed.`);
    return values.toSorted((a, b) => a - b);
  };
  const axes = {
    loads: numbers("--load", typed.load, 0.1, 100_000),
    lengths: numbers("--length", typed.length, 0.01, LONGEST_S),
  };
  const runs = axes.loads.length * axes.lengths.length * runsOfEach;
  if (runs > MOST_RUNS) faults.push(`--load, --length, --repeat: that is ${runs} runs; at most ${MOST_RUNS} are made.`);
  if (faults.length > 0) throw new ConfigError(faults);
  return axes;
}
