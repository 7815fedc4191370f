import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { count } from "../loadgen/core/format.ts";
import type { BackoffKind } from "../services/policy/backoff.ts";
import { simulateOcc } from "./sim-occ.ts";

const TRIALS = 40;
const PAGE = readFileSync(new URL("../docs/simulators.md", import.meta.url), "utf8");

function meansOf(clients: number, kind: BackoffKind) {
  const backoff = { kind, baseMs: 5, capMs: 2000 };
  const runs = Array.from({ length: TRIALS }, (_, seed) => simulateOcc({ clients, backoff, seed }));
  const mean = (of: (run: (typeof runs)[number]) => number): number =>
    runs.reduce((sum, run) => sum + of(run), 0) / TRIALS;
  return { calls: mean(({ calls }) => calls), lastMs: mean(({ lastMs }) => lastMs) };
}

/** What aws-arch-backoff-simulator printed for the same model, means of 40 trials. */
const PUBLISHED: readonly (readonly [clients: number, kind: BackoffKind, calls: number, lastMs: number])[] = [
  [100, "none", 2420, 2022],
  [100, "exponential", 1851, 63_616],
  [100, "decorrelated", 995, 4766],
  [100, "equal", 813, 6573],
  [100, "full", 795, 4925],
  [50, "none", 694, 1144],
  [50, "exponential", 618, 36_485],
  [50, "decorrelated", 374, 2262],
  [50, "equal", 348, 4282],
  [50, "full", 333, 2814],
];

for (const [clients, kind, calls, lastMs] of PUBLISHED) {
  test(`${clients} clients that contend with ${kind} backoff cost what was published, within 5 %, and as the page says`, () => {
    const means = meansOf(clients, kind);
    assert.ok(Math.abs(means.calls / calls - 1) <= 0.05, `${means.calls} calls, published ${calls}`);
    assert.ok(Math.abs(means.lastMs / lastMs - 1) <= 0.05, `${means.lastMs} ms, published ${lastMs}`);
    const cells = `${count(means.calls)} *${count(calls)}* | ${count(means.lastMs)} *${count(lastMs)}* |`;
    assert.ok(PAGE.includes(cells), `docs/simulators.md has no ${cells}`);
  });
}

test("without jitter the clients meet again and again: every jitter spares two fifths of the calls", () => {
  const { calls: exponential } = meansOf(100, "exponential");
  for (const kind of ["full", "equal", "decorrelated"] as const) {
    assert.ok(meansOf(100, kind).calls < 0.6 * exponential, kind);
  }
});
