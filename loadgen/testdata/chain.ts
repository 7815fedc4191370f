/**
 * A chain of one tier that stands in for the services: the real administration's answers, and orders as a test likes.
 */
import { createServer, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import type { BackendStats } from "../../services/contract/stats.ts";
import { backend } from "./facts.ts";

export interface StandIn {
  readonly url: string;
  /** For CHAIN. */
  readonly chain: string;
  /** `performance.now()` of each order's arrival. */
  readonly arrivals: number[];
  /** The path of each order that ever arrived, the warm-up's included. */
  readonly paths: string[];
  /** From now on it takes every request and answers none, as a process that hangs does. */
  hang(): void;
  /** Stops listening and drops every connection, as a process that dies does. */
  die(): void;
}

export interface StandInOptions {
  /** Answers an order; 200 at once where it is not given. */
  readonly order?: (res: ServerResponse, n: number) => void;
}

const FIXED = backend({}).last as BackendStats;

/** Serves on a free loopback port until the test ends. */
export async function standIn(t: TestContext, { order }: StandInOptions = {}): Promise<StandIn> {
  let [counted, inFlight] = [0, 0];
  const arrivals: number[] = [];
  const paths: string[] = [];
  let hanging = false;
  const stats = (): BackendStats => ({ ...FIXED, arrivals: counted, ok: counted, inFlight });
  const admin: Record<string, () => unknown> = {
    "GET /healthz": () => ({ status: "ok" }),
    "GET /stats": stats,
    "PUT /faults": () => ({ capacity: 90, errorRate: 0.4, latencyMs: 8 }),
    "POST /run": () => {
      counted = 0;
      arrivals.length = 0;
      return backend({}).description;
    },
  };
  const server = createServer((req, res) => {
    if (hanging) return;
    const answer = admin[`${req.method} ${req.url}`];
    if (answer !== undefined) {
      res.setHeader("content-type", "application/json").end(JSON.stringify(answer()));
      return;
    }
    arrivals.push(performance.now());
    paths.push(req.url ?? "");
    inFlight += 1;
    res.once("close", () => {
      inFlight -= 1;
    });
    counted += 1;
    if (order === undefined) res.setHeader("x-lab-attempts", "1").end("{}");
    else order(res, counted - 1);
  });
  const die = (): void => {
    server.closeAllConnections();
    server.close();
  };
  t.after(die);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const hang = (): void => {
    hanging = true;
  };
  return { url, chain: `backend=${url}`, arrivals, paths, hang, die };
}

/** Blocks this thread, and all that is served by it. */
export function freeze(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
