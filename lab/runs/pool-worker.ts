/** A thread of the pool: makes the runs that it is sent, one after the other. */
import { parentPort } from "node:worker_threads";
import type { RunEnv, WorkerAnswer } from "./pool.ts";
import { makeVirtualRun } from "./virtual-run.ts";
import { messageOf } from "../../services/settings/known-error.ts";

parentPort?.on("message", (env: RunEnv) => {
  let answer: WorkerAnswer;
  try {
    answer = { run: makeVirtualRun(env) };
  } catch (error) {
    answer = { problem: messageOf(error) };
  }
  parentPort?.postMessage(answer);
});
