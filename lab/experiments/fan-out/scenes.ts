/** What `bin/lab fan-out` compares: a read of many leaves, with second copies and without, where chance is slow and where it is not. */
import type { HedgePolicy } from "../../../services/policy/hedge/hedge.ts";
import { ascending, estimates, type Estimate } from "../../runs/statistics.ts";
import { fanOut, TAIL_AT_SCALE, type FanOut } from "./experiment.ts";

export interface FanOutScene {
  readonly name: string;
  readonly read: Omit<FanOut, "seed" | "hedge">;
}

export const FAN_OUT_SCENES: readonly FanOutScene[] = [
  {
    name: "1,000 leaves, of which 2 % take 10 ms or far longer, by chance",
    read: { requests: 1000, leaves: 1000, times: TAIL_AT_SCALE },
  },
  {
    name: "100 leaves, and every request needs the one that takes a second wherever it is asked",
    read: {
      requests: 1000,
      leaves: 100,
      times: { fastMs: 10, slowShare: 0, slowFromMs: 10, alpha: Infinity },
      stragglerMs: 1000,
    },
  },
];

/** A copy of what has no answer after 10 ms, for one leaf in twenty at most; all copies of a request are due at once. */
const AFTER_10_MS: HedgePolicy = { trigger: { kind: "delay", delayMs: 10 }, ratio: 0.05, burst: 1000 };

const ARMS: readonly { readonly name: string; readonly hedge?: HedgePolicy }[] = [
  { name: "no copies" },
  { name: "a copy after 10 ms", hedge: AFTER_10_MS },
];

const MEASURES = ["p50", "p99", "p999", "cost"] as const;

export interface FanOutArm {
  readonly scene: string;
  readonly name: string;
  /** Milliseconds until a request had its last leaf; `cost`: leaf calls for each leaf that was needed. */
  readonly measured: Readonly<Record<(typeof MEASURES)[number], Estimate | null>>;
}

const quantile = (sorted: readonly number[], share: number): number | null =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;

function measuresOf(read: FanOut): Record<(typeof MEASURES)[number], number | null> {
  const { latencies, cost } = fanOut(read);
  const sorted = ascending(latencies);
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), p999: quantile(sorted, 0.999), cost };
}

/** @param seeds one or more @param scenes what is compared */
export function fanOutResults(seeds: readonly number[], scenes: readonly FanOutScene[] = FAN_OUT_SCENES): FanOutArm[] {
  return scenes.flatMap(({ name: scene, read }) =>
    ARMS.map(({ name, ...hedge }) => {
      const runs = seeds.map((seed) => measuresOf({ ...read, ...hedge, seed }));
      const of = (measure: (typeof MEASURES)[number]) => ascending(runs.map((run) => run[measure]));
      return { scene, name, measured: estimates(MEASURES, of, `${scene}/${name}`) };
    }),
  );
}
