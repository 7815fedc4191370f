/** `bin/lab frontier`: for each load and error rate the best that any policy could reach, and which policy comes nearest. */
import type { PointResult } from "../sweep/experiment.ts";

export const FRONTIER_AXES = ["RATE=20..120:20", "ERROR_RATE=0..0.8:0.2"];

export interface FrontierCell {
  readonly rate: number;
  readonly errorRate: number;
  /** The best that any policy could reach, 0 to 1; null where nothing was offered. */
  readonly limit: number | null;
  /** The policy that comes nearest, and its share of the limit; null where that is 0 or nothing. */
  readonly nearest: string;
  readonly ofLimit: number | null;
}

const placeOf = ({ at }: PointResult) => ({ rate: Number(at["RATE"]), errorRate: Number(at["ERROR_RATE"]) });

/** Closer than this to each other, two policies are equally near the limit, and the cheaper one is better. */
const TIE = 0.005;

function isBetter({ metrics: a }: PointResult, { metrics: b }: PointResult): boolean {
  const ahead = (a.goodput?.median ?? 0) - (b.goodput?.median ?? 0);
  if (Math.abs(ahead) > TIE) return ahead > 0;
  return (a.amplification?.median ?? 0) < (b.amplification?.median ?? 0) - TIE;
}

/** @param points all policies' points over RATE and ERROR_RATE */
export function frontierOf(points: readonly PointResult[]): FrontierCell[] {
  const best = new Map<string, PointResult>();
  for (const point of points) {
    const key = JSON.stringify(point.at);
    const before = best.get(key);
    if (before === undefined || isBetter(point, before)) best.set(key, point);
  }
  return [...best.values()].map((point) => ({
    ...placeOf(point),
    limit: point.limit,
    nearest: point.policy,
    ofLimit: point.metrics.goodput?.median ?? null,
  }));
}
