/** A thread of `bin/lab scale`: one incident after the other. */
import { serveOrders } from "../../runs/pool.ts";
import type { ScaleArm, ScaleCase } from "./cases.ts";
import { runScale } from "./incident.ts";

export interface ScaleOrder {
  readonly scale: ScaleCase;
  readonly arm: ScaleArm;
  readonly seed: number;
}

serveOrders(({ scale, arm, seed }: ScaleOrder) => runScale(scale, arm, seed));
