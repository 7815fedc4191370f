/** The backoff simulator: many clients contend for one thing, with the lab's backoff on the virtual clock. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { BackoffKind } from "../../services/policy/backoff.ts";
import { ranged, measured, secondsOf } from "../measure.ts";
import type { Bench, Row } from "../row.ts";
import { simulateOcc } from "../sim-occ.ts";

const title = "Backoff simulator: 100 clients contend, 40 trials";
const goal = "10x the same model on Python's heapq";

const NOTE = "The peer is a lean loop over the same model, not the original program, which makes more objects.";

const CLIENTS = 100;
const BASE_MS = 5;
const CAP_MS = 2000;
const TRIALS = 40;
const REPEATS = 5;

function ourSeconds(kind: BackoffKind): number {
  return secondsOf(() => {
    for (let seed = 0; seed < TRIALS; seed += 1) {
      simulateOcc({ clients: CLIENTS, backoff: { kind, baseMs: BASE_MS, capMs: CAP_MS }, seed });
    }
  });
}

async function pythonSeconds(kind: BackoffKind): Promise<number> {
  const args = ["bench/peers/occ.py", CLIENTS, kind, BASE_MS, CAP_MS, TRIALS].map(String);
  const { stdout } = await promisify(execFile)("python3", args);
  return Number(stdout.split(" ")[2]);
}

async function rowOf(kind: BackoffKind): Promise<Row> {
  const ours: number[] = [];
  const peers: number[] = [];
  for (let i = 0; i < REPEATS; i += 1) {
    ours.push(ourSeconds(kind));
    peers.push(await pythonSeconds(kind));
  }
  const inMs = (seconds: readonly number[]) => ranged(measured(seconds.map((value) => value * 1000)), 0, " ms");
  const ratio = measured(peers.map((value, i) => value / (ours[i] ?? Number.NaN)));
  return {
    what: kind,
    ours: inMs(ours),
    peer: `${inMs(peers)} python3 heapq`,
    ratio: ranged(ratio, 1, "x"),
    met: ratio.median >= 10,
  };
}

async function run(): Promise<Row[]> {
  ourSeconds("full");
  const rows: Row[] = [];
  for (const kind of ["none", "full", "decorrelated"] as const) rows.push(await rowOf(kind));
  return [...rows.slice(0, -1), ...rows.slice(-1).map((row) => ({ ...row, note: NOTE }))];
}

export default { title, goal, run } satisfies Bench;
