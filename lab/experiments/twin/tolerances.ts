/** What the twin is judged by, and how far a prediction may lie from what HTTP shows. */
import { MEASURES, type Measure, type MeasureName } from "../../runs/measures.ts";

export interface TwinMeasure extends Measure {
  readonly name: MeasureName;
  /** The tolerance in words. */
  readonly tolerance: string;
  /** The largest difference that is still agreement, in the measure's own unit. */
  readonly allowed: (predicted: number) => number;
}

type Judged = Omit<TwinMeasure, "label" | "of" | "text" | "differenceText">;

const JUDGED: readonly Judged[] = [
  {
    name: "success",
    tolerance: "± 5 points",
    allowed: () => 0.05,
  },
  {
    name: "amplification",
    tolerance: "± 8 %",
    allowed: (predicted) => 0.08 * predicted,
  },
  {
    name: "p50",
    tolerance: "± 15 % or 5 ms",
    allowed: (predicted) => Math.max(0.15 * predicted, 5),
  },
];

export const TWIN_MEASURES: readonly TwinMeasure[] = JUDGED.flatMap((judged) =>
  MEASURES.filter(({ name }) => name === judged.name).map((metric) => ({ ...metric, ...judged })),
);
