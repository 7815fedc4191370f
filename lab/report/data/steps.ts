/** Lines over time as what they are: one value for each interval, from its beginning to its end. */
import type { StormPoint } from "./model.ts";

export interface StepEnd {
  readonly tS: number;
  /** null: nothing was measured, and the line has a gap. */
  readonly value: number | null;
}

/** The channels of a chart that are drawn from `stepsOf`. */
export const STEP = { x: "tS", y: "value" } as const;
/** The same for an area from 0 on; a `y` alone would put the two values of one moment upon each other. */
export const AREA = { x: "tS", y1: 0, y2: "value" } as const;

/** Two ends for each interval, so that a change stands where its interval begins and not half an interval before. */
export function stepsOf(
  storm: readonly StormPoint[],
  key: "offered" | "calls" | "good" | "capacity" | "perRequest" | "needed",
): StepEnd[] {
  return storm.flatMap(({ tS, lengthS, [key]: value }) => [
    { tS: tS - lengthS / 2, value },
    { tS: tS + lengthS / 2, value },
  ]);
}
