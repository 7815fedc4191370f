import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sample } from "../core/series.ts";
import { hurriedClock } from "../testdata/clock.ts";
import { backend } from "../testdata/facts.ts";
import type { Tier } from "./tiers.ts";
import { nextLookMs, startWatch } from "./watch.ts";

const never = (): never => {
  throw new Error("not asked for");
};

/** A backend whose answer takes `answerMs` of `time`, and counts a call each millisecond. */
function slowTier(time: { ms: number }, answerMs: number): Tier {
  return {
    name: "backend",
    url: "",
    readiness: never,
    beginRun: never,
    changeFaults: never,
    changePolicy: never,
    async stats() {
      time.ms += answerMs;
      return backend({ arrivals: time.ms }).last;
    },
  };
}

test("A sample is stamped when it was answered, so that a slow answer makes no rate too high", async () => {
  const time = { ms: 0 };
  const clock = hurriedClock(time);
  const samples: Sample[] = [];
  const enough = new Promise<void>((resolve) => {
    const watch = startWatch({
      tiers: [slowTier(time, 400)],
      clock,
      startMs: 0,
      loadEndsMs: Infinity,
      due: () => time.ms,
      onDeath: never,
      onSample(sample) {
        samples.push(sample);
        if (samples.length === 3) resolve(watch.stop());
      },
    });
  });
  await enough;
  assert.deepEqual(
    samples.slice(0, 3).map(({ tS, backend: { arrivals }, offeredRps }) => [tS, arrivals, offeredRps]),
    [
      [1.4, 1000, 1000],
      [2.4, 1000, 1000],
      [3.4, 1000, 1000],
    ],
  );
});

test("It looks near whole seconds, never twice within half of one, and does not make up for a stall", () => {
  const cases = [
    [-20, 1000],
    [999, 2000],
    [1001, 2000],
    [1400, 2000],
    [1600, 3000],
    [9700, 11_000],
  ] as const;
  for (const [nowMs, wanted] of cases) assert.equal(nextLookMs(nowMs, Infinity), wanted, String(nowMs));
});

test("It looks at the end of the load, too, where that is no moment after the last look", () => {
  const cases = [
    [5000, 5500, 5500],
    [5000, 5900, 5900],
    [5000, 6000, 6000],
    [5000, 8500, 6000],
    [5400, 5500, 6000],
    [5900, 5900, 7000],
  ] as const;
  for (const [nowMs, loadEndsMs, wanted] of cases) assert.equal(nextLookMs(nowMs, loadEndsMs), wanted, String(nowMs));
});
