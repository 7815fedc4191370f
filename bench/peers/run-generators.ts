/** Runs a load generator against the stamping server and judges it by when its requests came. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { execa } from "execa";

const here = (name: string): string => fileURLToPath(new URL(name + import.meta.url.slice(-3), import.meta.url));

export interface Stall {
  readonly from: number;
  readonly to: number;
}

export interface Heard {
  /** When each request came, in milliseconds, sorted. */
  readonly stamps: readonly number[];
  /** All requests, those of a warm-up included. */
  readonly served: number;
  /** When the server last blocked, on the same clock. */
  readonly stall: Stall | undefined;
  /** User and system time of the generator, start of its process included; milliseconds. */
  readonly cpuMs: number;
  readonly stdout: string;
}

export interface Judge {
  readonly url: string;
  /** Runs `command` and hands back what the server heard. @param stallAfterMs when the server blocks for a second */
  listen(command: readonly string[], stallAfterMs?: number): Promise<Heard>;
  close(): void;
}

/** bash's own clock for the time that a child has used. */
const TIMED = 'TIMEFORMAT="cpu %U %S"; time "$@"';

function cpuMsOf(stderr: string): number {
  const [, user = "", system = ""] = /cpu ([\d.]+) ([\d.]+)\s*$/.exec(stderr) ?? [];
  return (Number(user) + Number(system)) * 1000;
}

export async function startJudge(): Promise<Judge> {
  const server = fork(here("./stamp-server"));
  const [{ port }] = (await once(server, "message")) as [{ port: number }];
  return {
    url: `http://127.0.0.1:${port}/`,
    async listen(command, stallAfterMs) {
      server.send("begin");
      const stall = stallAfterMs === undefined ? undefined : setTimeout(() => server.send("stall"), stallAfterMs);
      const { stdout, stderr } = await execa("bash", ["-c", TIMED, "generator", ...command]);
      clearTimeout(stall);
      const answer = once(server, "message");
      server.send("end");
      const [heard] = (await answer) as [Pick<Heard, "stamps" | "served" | "stall">];
      return { ...heard, stamps: heard.stamps.toSorted((a, b) => a - b), cpuMs: cpuMsOf(stderr), stdout };
    },
    close: () => void server.kill(),
  };
}

/** The lab's own cap of connections; a row about a stall needs as many as become due in it. */
const CONNECTIONS = 256;

export function ours(
  url: string,
  rate: number,
  seconds: number,
  { arrivals = "constant", connections = CONNECTIONS } = {},
): string[] {
  const settings = [rate, seconds, arrivals, connections].map(String);
  return [process.execPath, here("./generator"), url, ...settings];
}

export function loadtest(url: string, rate: number, seconds: number): string[] {
  return ["node_modules/.bin/loadtest", "--rps", String(rate), "-t", String(seconds), "-c", "10", "--quiet", url];
}

export function hey(url: string, rate: number, seconds: number): string[] {
  return ["hey", "-c", "10", "-q", String(rate / 10), "-z", `${seconds}s`, url];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Median distance from the grid n/rate that fits the stamps best, in milliseconds. */
export function gridErrorMs(stamps: readonly number[], rate: number): number {
  const offsets = stamps.map((at, n) => at - (n * 1000) / rate);
  const begin = median(offsets);
  return median(offsets.map((offset) => Math.abs(offset - begin)));
}

/** By how much the rate that came differs from the one that was asked for, as a share. */
export function rateError(stamps: readonly number[], rate: number): number {
  const seconds = ((stamps.at(-1) ?? 0) - (stamps[0] ?? 0)) / 1000;
  return Math.abs((stamps.length - 1) / seconds / rate - 1);
}

/** Kolmogorov-Smirnov distance of the gaps from the exponential distribution of that rate. */
export function poissonDistance(stamps: readonly number[], rate: number): number {
  const gaps = stamps.slice(1).map((at, i) => at - (stamps[i] ?? at));
  const sorted = gaps.toSorted((a, b) => a - b);
  return Math.max(
    ...sorted.map((gap, i) => {
      const expected = 1 - Math.exp((-gap * rate) / 1000);
      return Math.max(Math.abs(expected - i / sorted.length), Math.abs(expected - (i + 1) / sorted.length));
    }),
  );
}
