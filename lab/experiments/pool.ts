/** Runs in virtual time on several threads at once: a core each. */
import { Worker } from "node:worker_threads";
import { Stopped } from "./stopped.ts";
import type { ExperimentRun } from "./twin.ts";

export type RunEnv = Readonly<Record<string, string>>;

export type WorkerAnswer = { readonly run: ExperimentRun } | { readonly problem: string };

export interface Pool {
  /** @param env every knob with its value. Rejects with `Stopped`, or with what went wrong in the run. */
  run(env: RunEnv): Promise<ExperimentRun>;
  /** Ends the threads at once; what is not finished is given up. */
  close(): Promise<void>;
}

interface Job {
  readonly env: RunEnv;
  readonly resolve: (run: ExperimentRun) => void;
  readonly reject: (error: Error) => void;
}

/** Compiled, the worker lies beside this file; from the sources, its thread first has to learn to read TypeScript. */
function startWorker(): Worker {
  if (!import.meta.url.endsWith(".ts")) return new Worker(new URL("./pool-worker.js", import.meta.url));
  const worker = JSON.stringify(new URL("./pool-worker.ts", import.meta.url).href);
  const loader = JSON.stringify(import.meta.resolve("tsx/esm/api"));
  const code = `import(${loader}).then(({ register }) => { register(); return import(${worker}); });`;
  return new Worker(code, { eval: true });
}

/** @param threads 1 or more; each is started when there is work for it */
export function createPool(threads: number): Pool {
  const waiting: Job[] = [];
  const idle: Worker[] = [];
  const busy = new Map<Worker, Job>();
  let closed = false;

  const next = (): void => {
    while (waiting.length > 0 && (idle.length > 0 || busy.size < threads)) {
      const job = waiting.shift();
      if (job === undefined) return;
      const worker = idle.pop() ?? begin();
      busy.set(worker, job);
      worker.postMessage(job.env);
    }
  };
  const finish = (worker: Worker): Job | undefined => {
    const job = busy.get(worker);
    busy.delete(worker);
    return job;
  };
  const begin = (): Worker => {
    const worker = startWorker();
    worker.on("message", (answer: WorkerAnswer) => {
      const job = finish(worker);
      idle.push(worker);
      if ("run" in answer) job?.resolve(answer.run);
      else job?.reject(new Error(answer.problem));
      next();
    });
    worker.on("error", (error: unknown) => {
      finish(worker)?.reject(error instanceof Error ? error : new Error(String(error)));
      next();
    });
    return worker;
  };
  return {
    run: (env) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Stopped());
        waiting.push({ env, resolve, reject });
        next();
      }),
    async close() {
      closed = true;
      const jobs = [...waiting.splice(0), ...busy.values()];
      const workers = [...idle, ...busy.keys()];
      for (const { reject } of jobs) reject(new Stopped());
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
