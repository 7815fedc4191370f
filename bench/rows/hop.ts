/** A hop with policy, metrics and logs beside a bare one of express and undici, in front of the same plain server. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import { execa } from "execa";
import { request } from "undici";
import { ranged, measured } from "../measure.ts";
import { startJudge } from "../peers/run-generators.ts";
import type { Bench, Row } from "../row.ts";

const title = "A hop over HTTP";
const goal = "at least 0.9x the requests/s of a bare express + undici hop, at most 1.15x its CPU";

const ROUNDS = 5;
const SECONDS = 3;
const CONNECTIONS = 10;

const here = (name: string): string => fileURLToPath(new URL(name + import.meta.url.slice(-3), import.meta.url));

interface Contender {
  readonly url: string;
  /** Milliseconds of CPU that the process has used. */
  readonly cpuMs: () => Promise<number>;
  readonly end: () => void;
}

async function labHop(upstream: string): Promise<Contender> {
  const env = { UPSTREAM_URL: upstream, PORT: "0" };
  const child = execa(here("../../services/edge/main"), { node: true, ipc: true, env, stdout: "ignore" });
  child.catch(() => {});
  const { port } = (await child.getOneMessage()) as unknown as { port: number };
  const url = `http://127.0.0.1:${port}`;
  const cpuMs = async (): Promise<number> => {
    const { body } = await request(`${url}/stats`);
    return ((await body.json()) as { cpuMs: number }).cpuMs;
  };
  return { url, cpuMs, end: () => void child.kill() };
}

async function bareHop(upstream: string): Promise<Contender> {
  const child = fork(here("../peers/bare-hop"), [upstream]);
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  const cpuMs = async (): Promise<number> => {
    child.send("cpu");
    const [{ cpuMs: used }] = (await once(child, "message")) as [{ cpuMs: number }];
    return used;
  };
  return { url: `http://127.0.0.1:${port}`, cpuMs, end: () => void child.kill() };
}

async function round({ url, cpuMs }: Contender): Promise<{ rps: number; cpu: number }> {
  const before = await cpuMs();
  const result = await autocannon({
    url: `${url}/orders/1`,
    connections: CONNECTIONS,
    duration: SECONDS,
  });
  const used = (await cpuMs()) - before;
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} bad answers`);
  return { rps: result["2xx"] / result.duration, cpu: used / result["2xx"] };
}

async function run(): Promise<Row[]> {
  const judge = await startJudge();
  const origin = new URL(judge.url).origin;
  const contenders = [await labHop(origin), await bareHop(origin)] as const;
  const [ours, peer] = contenders;
  try {
    const mine: { rps: number; cpu: number }[] = [];
    const theirs: { rps: number; cpu: number }[] = [];
    for (let i = 0; i <= ROUNDS; i += 1) {
      const both = [await round(ours), await round(peer)] as const;
      // The first round only warms up.
      if (i > 0) [mine, theirs].forEach((list, k) => list.push(both[k] ?? both[0]));
    }
    const rates = measured(mine.map(({ rps }, i) => rps / (theirs[i]?.rps ?? Number.NaN)));
    const costs = measured(mine.map(({ cpu }, i) => cpu / (theirs[i]?.cpu ?? Number.NaN)));
    return [
      {
        what: `requests/s with ${CONNECTIONS} connections`,
        ours: ranged(measured(mine.map(({ rps }) => rps)), 0),
        peer: ranged(measured(theirs.map(({ rps }) => rps)), 0),
        ratio: ranged(rates, 2, "x"),
        met: rates.median >= 0.9,
      },
      {
        what: "CPU for a request",
        ours: ranged(measured(mine.map(({ cpu }) => cpu)), 3, " ms"),
        peer: ranged(measured(theirs.map(({ cpu }) => cpu)), 3, " ms"),
        ratio: ranged(costs, 2, "x"),
        met: costs.median <= 1.15,
      },
    ];
  } finally {
    for (const { end } of contenders) end();
    judge.close();
  }
}

export default { title, goal, run } satisfies Bench;
