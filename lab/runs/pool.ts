/** Work for several threads at once, a core each: orders go in, runs come out. */
import { parentPort, type Worker } from "node:worker_threads";
import { startThread } from "../../services/real-time/thread.ts";
import { messageOf } from "../../services/settings/known-error.ts";
import { Stopped } from "./stopped.ts";

export type RunEnv = Readonly<Record<string, string>>;

type WorkerAnswer<Run> = { readonly run: Run } | { readonly problem: string };

export interface Pool<Order, Run> {
  /** @param order what the worker needs to know. Rejects with `Stopped`, or with what went wrong in the run. */
  run(order: Order): Promise<Run>;
  /** Ends the threads at once; what is not finished is given up. */
  close(): Promise<void>;
}

interface Job<Order, Run> {
  readonly order: Order;
  readonly resolve: (run: Run) => void;
  readonly reject: (error: Error) => void;
}

/** @param threads 1 or more; each is started when there is work for it @param worker the file that they run */
export function createPool<Order, Run>(threads: number, worker: URL): Pool<Order, Run> {
  return new ThreadPool<Order, Run>(threads, worker);
}

class ThreadPool<Order, Run> implements Pool<Order, Run> {
  private readonly threads: number;
  private readonly worker: URL;
  private readonly waiting: Job<Order, Run>[] = [];
  private readonly idle: Worker[] = [];
  private readonly busy = new Map<Worker, Job<Order, Run>>();
  private closed = false;

  constructor(threads: number, worker: URL) {
    this.threads = threads;
    this.worker = worker;
  }

  run(order: Order): Promise<Run> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(new Stopped());
      this.waiting.push({ order, resolve, reject });
      this.handOut();
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    const workers = [...this.idle, ...this.busy.keys()];
    for (const { reject } of [...this.waiting.splice(0), ...this.busy.values()]) reject(new Stopped());
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  private handOut(): void {
    while (this.idle.length > 0 || this.busy.size < this.threads) {
      const job = this.waiting.shift();
      if (job === undefined) return;
      const worker = this.idle.pop() ?? this.begin();
      this.busy.set(worker, job);
      worker.postMessage(job.order);
    }
  }

  private begin(): Worker {
    const worker = startThread(this.worker);
    worker.on("message", (answer: WorkerAnswer<Run>) => {
      const job = this.release(worker);
      this.idle.push(worker);
      if ("run" in answer) job?.resolve(answer.run);
      else job?.reject(new Error(answer.problem));
      this.handOut();
    });
    worker.on("error", (error: unknown) => {
      this.release(worker)?.reject(error instanceof Error ? error : new Error(String(error)));
      this.handOut();
    });
    return worker;
  }

  private release(worker: Worker): Job<Order, Run> | undefined {
    const job = this.busy.get(worker);
    this.busy.delete(worker);
    return job;
  }
}

/** What the file of a thread calls: carries out one order after the other. */
export function serveOrders<Order, Run>(carryOut: (order: Order) => Run): void {
  parentPort?.on("message", (order: Order) => {
    let answer: WorkerAnswer<Run>;
    try {
      answer = { run: carryOut(order) };
    } catch (error) {
      answer = { problem: messageOf(error) };
    }
    parentPort?.postMessage(answer);
  });
}
