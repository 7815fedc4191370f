/** The generator's schedule beside loadtest and hey, by a server that notes when each request came. */
import { ranged, measured } from "../measure.ts";
import {
  gridErrorMs,
  hey,
  loadtest,
  ours,
  poissonDistance,
  rateError,
  startJudge,
  type Heard,
  type Judge,
} from "../peers/run-generators.ts";
import type { Bench, Row } from "../row.ts";
import { duration, fixed, percent, times } from "../../loadgen/core/format.ts";
import type { Middle } from "../../loadgen/core/format.ts";

const title = "The generator";
const goal = "schedule error at most 1/4 of loadtest's (1/6 at 2,000/s); no request lost in a stall";

const ROUNDS = 3;
const SECONDS = 4;
/** The distance of a perfect sample shrinks with its length: 0.019 for 2,000 gaps, 0.013 for 4,000. */
const POISSON_SECONDS = 8;

type Make = (url: string, rate: number, seconds: number) => string[];

/** Interleaved rounds of each generator; undefined for one that is not installed. */
async function rounds(judge: Judge, rate: number, makers: readonly Make[]): Promise<(Heard[] | undefined)[]> {
  const heard: (Heard[] | undefined)[] = makers.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [i, make] of makers.entries()) {
      const run = await judge.listen(make(judge.url, rate, SECONDS)).catch((error: unknown) => {
        if ((error as { code?: string }).code === "ENOENT" || String(error).includes("127")) return undefined;
        throw error;
      });
      if (run === undefined) heard[i] = undefined;
      else heard[i]?.push(run);
    }
  }
  return heard;
}

const errors = (runs: readonly Heard[], rate: number): Middle =>
  measured(runs.map(({ stamps }) => gridErrorMs(stamps, rate)));

function against(name: string, us: Middle, peer: Heard[] | undefined, rate: number) {
  if (peer === undefined) return { peer: `${name} is not installed`, ratio: "", factor: undefined };
  const them = errors(peer, rate);
  const factor = them.median / us.median;
  return { peer: `${ranged(them, 3, " ms")} ${name}`, ratio: `1/${fixed(factor, 1)}`, factor };
}

async function scheduleRows(judge: Judge, rate: number, goalFactor: number): Promise<Row[]> {
  const withHey = rate <= 60;
  const [mine = [], theirs, heys] = await rounds(judge, rate, withHey ? [ours, loadtest, hey] : [ours, loadtest]);
  const us = errors(mine, rate);
  const { factor, peer, ratio } = against("loadtest", us, theirs, rate);
  const rates = measured(mine.map(({ stamps }) => rateError(stamps, rate) * 100));
  const what = `distance from the grid at ${rate}/s (rate error ${fixed(rates.median, 2)} %)`;
  const rows: Row[] = [
    {
      what,
      ours: ranged(us, 3, " ms"),
      peer,
      ratio,
      met: factor === undefined ? null : factor >= goalFactor,
    },
  ];
  if (withHey) {
    const other = against("hey -c10", us, heys, rate);
    rows.push({
      what: `the same beside hey, goal 1/100`,
      ours: ranged(us, 3, " ms"),
      peer: other.peer,
      ratio: other.ratio,
      met: other.factor === undefined ? null : other.factor >= 100,
    });
  }
  if (rate === 500 && theirs !== undefined) rows.push(cpuRow(mine, theirs));
  return rows;
}

function cpuRow(mine: readonly Heard[], theirs: readonly Heard[]): Row {
  const each = (runs: readonly Heard[]): Middle => measured(runs.map(({ cpuMs, served }) => cpuMs / served));
  const [us, them] = [each(mine), each(theirs)];
  const ratio = us.median / them.median;
  return {
    what: "CPU for a request at 500/s, start and warm-up included",
    ours: ranged(us, 3, " ms"),
    peer: `${ranged(them, 3, " ms")} loadtest`,
    ratio: times(ratio),
    met: ratio <= 1.2,
  };
}

async function poissonRow(judge: Judge): Promise<Row> {
  const values: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { stamps } = await judge.listen(ours(judge.url, 500, POISSON_SECONDS, { arrivals: "poisson" }));
    values.push(poissonDistance(stamps, 500));
  }
  const distance = measured(values);
  return {
    what: "Poisson at 500/s: KS distance, goal 0.06",
    ours: ranged(distance, 3),
    met: distance.median <= 0.06,
  };
}

interface Seen {
  readonly sent: number;
  readonly unsent: number;
  readonly lateAt: readonly number[];
  readonly p99Ms: number;
}

/** The server blocks for a second of four: of the 2,000 requests the slowest hundredth waited at least 960 ms. */
const TRUE_P99_MS = 960;

async function stallRow(judge: Judge): Promise<Row> {
  const { stdout, stall } = await judge.listen(ours(judge.url, 500, SECONDS, { connections: 1000 }), 3000);
  const { sent, lateAt, p99Ms } = JSON.parse(stdout) as Seen;
  if (stall === undefined) throw new Error("the server did not stall");
  const inTime = 1 - lateAt.filter((at) => at >= stall.from && at < stall.to).length / 500;
  return {
    what: "1 s stall of the server at 500/s, 1,000 connections: due requests sent meanwhile; p99",
    ours: `${percent(inTime)} of 500 (${sent} in all); p99 ${duration(p99Ms)}, true ${TRUE_P99_MS} ms`,
    met: inTime >= 0.95 && Math.abs(p99Ms / TRUE_P99_MS - 1) <= 0.05,
  };
}

async function ceilingRow(judge: Judge): Promise<Row> {
  const { stamps, stdout } = await judge.listen(ours(judge.url, 5000, 3));
  const { unsent, lateAt } = JSON.parse(stdout) as Seen;
  const error = rateError(stamps, 5000) * 100;
  return {
    what: "5,000/s for 3 s: rate error, goal 0.2 %; connections capped at 256",
    ours: `${fixed(error, 2)} %, ${stamps.length} came, ${lateAt.length} late, ${unsent} never sent`,
    met: error <= 0.2,
  };
}

async function run(): Promise<Row[]> {
  const judge = await startJudge();
  try {
    return [
      ...(await scheduleRows(judge, 60, 4)),
      ...(await scheduleRows(judge, 500, 4)),
      ...(await scheduleRows(judge, 2000, 6)),
      await poissonRow(judge),
      await stallRow(judge),
      await ceilingRow(judge),
    ];
  } finally {
    judge.close();
  }
}

export default { title, goal, run } satisfies Bench;
