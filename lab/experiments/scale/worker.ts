/** A thread of `lab scale`: one incident after the other. */
import { parentPort } from "node:worker_threads";
import type { WorkerAnswer } from "../../runs/pool.ts";
import { runScale, type ScaleRun } from "./incident.ts";
import type { ScaleArm, ScaleCase } from "./cases.ts";
import { messageOf } from "../../../services/settings/known-error.ts";

export interface ScaleOrder {
  readonly scale: ScaleCase;
  readonly arm: ScaleArm;
  readonly seed: number;
}

parentPort?.on("message", ({ scale, arm, seed }: ScaleOrder) => {
  let answer: WorkerAnswer<ScaleRun>;
  try {
    answer = { run: runScale(scale, arm, seed) };
  } catch (error) {
    answer = { problem: messageOf(error) };
  }
  parentPort?.postMessage(answer);
});
