import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { RateStep } from "../../services/settings/rate-profile.ts";
import { offered, schedule, type ScheduleConfig } from "./schedule.ts";

const BASE: ScheduleConfig = {
  rate: 60,
  durationS: 20,
  arrivals: "constant",
  rateProfile: [],
  seed: 1,
  writeShare: 0,
  idempotencyKeys: true,
};

const timesOf = (config: ScheduleConfig): number[] => [...schedule(config)].map(({ intendedMs }) => intendedMs);

const profiles = fc
  .array(
    fc.record({
      atS: fc.double({ min: 0, max: 30, noNaN: true }),
      rate: fc.integer({ min: 0, max: 300 }),
      ramp: fc.boolean(),
    }),
    {
      maxLength: 5,
    },
  )
  .map((steps): RateStep[] => steps.toSorted((a, b) => a.atS - b.atS));

const configs = fc.record({
  rate: fc.double({ min: 0.1, max: 300, noNaN: true }),
  durationS: fc.double({ min: 0.1, max: 20, noNaN: true }),
  arrivals: fc.constantFrom("constant" as const, "poisson" as const),
  rateProfile: profiles,
  seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  writeShare: fc.double({ min: 0, max: 1, noNaN: true }),
  idempotencyKeys: fc.boolean(),
});

/** ∫ rate by the trapezoid rule in small steps, from the profile alone: the other way to the same number. */
function areaBySteps({ rate, durationS, rateProfile }: ScheduleConfig): number {
  const slices = 20_000;
  let area = 0;
  for (let i = 0; i < slices; i += 1) area += rateAt(rate, rateProfile, ((i + 0.5) / slices) * durationS);
  return (area / slices) * durationS;
}

function rateAt(rate: number, steps: readonly RateStep[], timeS: number): number {
  let [fromS, from] = [0, rate];
  for (const step of steps) {
    if (step.atS > timeS) {
      return step.ramp ? from + ((step.rate - from) * (timeS - fromS)) / (step.atS - fromS) : from;
    }
    [fromS, from] = [step.atS, step.rate];
  }
  return from;
}

// Case 13 of docs/cases.md.
test("A constant rate is a grid: the n-th request is due at n / rate, however late in the run", () => {
  for (const rate of [0.3, 7, 60, 333.3]) {
    const times = timesOf({ ...BASE, rate, durationS: 100 });
    times.forEach((ms, n) => assert.ok(Math.abs(ms - (n / rate) * 1000) < 1e-6, `${n} at ${ms}`));
    assert.equal(times.length, Math.ceil(100 * rate - 1e-9));
  }
});

test("The reference run has 1,200 requests, the first at once", () => {
  const times = timesOf(BASE);
  assert.equal(times.length, 1200);
  assert.equal(times[0], 0);
});

test("Times never fall and lie within the run, positions count up, and the same seed gives the same schedule", () => {
  fc.assert(
    fc.property(configs, (config) => {
      const arrivals = [...schedule(config)];
      arrivals.forEach(({ n, intendedMs }, i) => {
        assert.equal(n, i);
        assert.ok(intendedMs >= (arrivals[i - 1]?.intendedMs ?? 0) && intendedMs <= config.durationS * 1000);
      });
      assert.deepEqual([...schedule(config)], arrivals);
    }),
    { numRuns: 60, seed: 7 },
  );
});

test("With constant arrivals, the requests are the integral of the rate to within one", () => {
  fc.assert(
    fc.property(configs, (config) => {
      const count = timesOf({ ...config, arrivals: "constant" }).length;
      assert.ok(Math.abs(count - offered(config)) <= 1, `${count} for ${offered(config)}`);
    }),
    { numRuns: 100, seed: 7 },
  );
});

test("The integral of steps and ramps is what summing up the rate in small steps gives", () => {
  fc.assert(
    fc.property(configs, (config) => {
      const bySteps = areaBySteps(config);
      // A jump within one small step is seen up to half a step too early or late.
      assert.ok(Math.abs(offered(config) - bySteps) < 0.001 * (1 + bySteps) + 0.8, `${offered(config)}, ${bySteps}`);
    }),
    { numRuns: 40, seed: 7 },
  );
});

test("A ramp to nothing and one from nothing are exact", () => {
  const down = timesOf({ ...BASE, rate: 10, durationS: 10, rateProfile: [{ atS: 10, rate: 0, ramp: true }] });
  assert.equal(down.length, 50);
  // Λ(t) = 10 t − t²/2 = 49
  assert.ok(Math.abs((down[49] ?? 0) - 1000 * (10 - Math.sqrt(2))) < 1e-6, String(down[49]));
  const rateProfile = [
    { atS: 0, rate: 0, ramp: false },
    { atS: 10, rate: 10, ramp: true },
  ];
  const up = timesOf({ ...BASE, rate: 99, durationS: 10, rateProfile });
  // Λ(t) = t²/2 = 8
  assert.ok(Math.abs((up[8] ?? 0) - 4000) < 1e-6, String(up[8]));
});

test("Poisson arrivals have exponential gaps (Kolmogorov–Smirnov) and the mean of the rate", () => {
  for (const seed of [1, 2, 3]) {
    const times = timesOf({ ...BASE, arrivals: "poisson", rate: 100, durationS: 100, seed });
    const gaps = times.map((ms, i) => (ms - (times[i - 1] ?? 0)) / 10).toSorted((a, b) => a - b);
    const distance = Math.max(
      ...gaps.map((gap, i) => Math.abs(1 - Math.exp(-gap) - (i + 0.5) / gaps.length) + 0.5 / gaps.length),
    );
    // 1.63 / √n is the 1 % point; the seeds are fixed, so this passes or fails for ever.
    assert.ok(distance < 1.63 / Math.sqrt(gaps.length), `D = ${distance}`);
    assert.ok(Math.abs(times.length - 10_000) < 300, String(times.length));
  }
});

test("Writes have the asked share, the same ones whatever the rate, and a key each where keys are on", () => {
  const writing = { ...BASE, writeShare: 0.3, rate: 500 };
  const methods = [...schedule(writing)].map(({ method }) => method);
  const share = methods.filter((method) => method === "POST").length / methods.length;
  assert.ok(Math.abs(share - 0.3) < 0.015, String(share));
  const slower = [...schedule({ ...writing, rate: 50 })].map(({ method }) => method);
  assert.deepEqual(slower, methods.slice(0, slower.length));
  const keys = [...schedule(writing)].map(({ method, idempotencyKey }) => [method, idempotencyKey !== undefined]);
  assert.ok(keys.every(([method, has]) => has === (method === "POST")));
  const given = [...schedule(writing)].flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  assert.equal(new Set(given).size, given.length);
  assert.ok([...schedule({ ...writing, idempotencyKeys: false })].every((one) => one.idempotencyKey === undefined));
});

test("A rate whose product with the duration is just above a whole number by rounding has no request more", () => {
  assert.ok(8.3 * 30 > 249);
  assert.equal(timesOf({ ...BASE, rate: 8.3, durationS: 30 }).length, 249);
});
