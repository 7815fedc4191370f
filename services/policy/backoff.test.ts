import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BACKOFF_KINDS, backoffMs, type BackoffKind } from "./backoff.ts";
import { seededRng } from "./rng.ts";

const kinds = fc.constantFrom(...BACKOFF_KINDS);
const uniform = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const retryNumber = fc.oneof(fc.nat(12), fc.nat(5000), fc.integer({ min: 5000, max: 2 ** 31 }));
const limits = fc.tuple(fc.nat(10_000), fc.nat(60_000)).map(([baseMs, more]) => ({ baseMs, capMs: baseMs + more }));

test("the wait is finite and never negative, for every kind and any number of retries", () => {
  fc.assert(
    fc.property(kinds, limits, retryNumber, uniform, fc.nat(60_000), (kind, { baseMs, capMs }, n, u, previousMs) => {
      const wait = backoffMs({ kind, baseMs, capMs }, n, previousMs, () => u);
      assert.ok(Number.isFinite(wait) && wait >= 0 && wait <= capMs, `${kind} n=${n}: ${wait}`);
    }),
  );
});

test("a base of zero stays zero where two to the power of n is infinite", () => {
  for (const kind of BACKOFF_KINDS) {
    assert.equal(
      backoffMs({ kind, baseMs: 0, capMs: 1000 }, 5000, 0, () => 0.5),
      0,
      kind,
    );
  }
});

/** [least, most] of the wait before retry n, where u runs from 0 to 1. */
const bounds: Record<
  Exclude<BackoffKind, "decorrelated" | "rising" | "smooth">,
  (b: number, e: number) => [number, number]
> = {
  none: () => [0, 0],
  fixed: (b) => [b, b],
  exponential: (_, e) => [e, e],
  full: (_, e) => [0, e],
  equal: (_, e) => [e / 2, e],
};

for (const [kind, boundsOf] of Object.entries(bounds)) {
  test(`the ${kind} wait begins and ends where its formula says`, () => {
    fc.assert(
      fc.property(limits, fc.nat(40), uniform, ({ baseMs, capMs }, n, u) => {
        const policy = { kind: kind as BackoffKind, baseMs, capMs };
        const [least, most] = boundsOf(baseMs, Math.min(capMs, baseMs * 2 ** n));
        assert.equal(
          backoffMs(policy, n, 0, () => 0),
          least,
        );
        const wait = backoffMs(policy, n, 0, () => u);
        assert.ok(wait >= least && wait <= most, `${wait} is not in ${least}..${most}`);
      }),
    );
  });
}

test("the decorrelated wait lies between the base and three times the wait before, below the cap", () => {
  fc.assert(
    fc.property(limits, fc.integer({ min: 1, max: 40 }), uniform, fc.nat(60_000), ({ baseMs, capMs }, n, u, more) => {
      const previousMs = baseMs + more;
      const wait = backoffMs({ kind: "decorrelated", baseMs, capMs }, n, previousMs, () => u);
      assert.ok(wait >= baseMs && wait <= Math.min(capMs, 3 * previousMs), String(wait));
    }),
  );
});

test("the first backoff is the base itself, not twice the base", () => {
  assert.equal(
    backoffMs({ kind: "exponential", baseMs: 25, capMs: 1000 }, 0, 0, () => 0),
    25,
  );
  assert.equal(
    backoffMs({ kind: "exponential", baseMs: 25, capMs: 1000 }, 1, 25, () => 0),
    50,
  );
  assert.ok(backoffMs({ kind: "full", baseMs: 25, capMs: 1000 }, 0, 0, () => 0.999) < 25);
  assert.ok(backoffMs({ kind: "decorrelated", baseMs: 25, capMs: 1000 }, 0, 999, () => 0.999) < 75);
});

for (const kind of ["full", "equal", "decorrelated"] as const) {
  test(`callers whose ${kind} backoff has reached the cap are still spread apart`, () => {
    const rng = seededRng(7, kind);
    const waits = new Set<number>();
    for (let i = 0; i < 100; i += 1) waits.add(backoffMs({ kind, baseMs: 50, capMs: 400 }, 20, 400, rng));
    assert.ok(waits.size > 20, `${waits.size} different waits among 100 callers`);
  });
}

test("full jitter waits half as long as no jitter on average", () => {
  const rng = seededRng(1, "mean");
  let sum = 0;
  for (let i = 0; i < 10_000; i += 1) sum += backoffMs({ kind: "full", baseMs: 50, capMs: 1000 }, 2, 0, rng);
  assert.ok(Math.abs(sum / 10_000 - 100) < 3, `mean ${sum / 10_000} ms instead of 100 ms`);
});

test("a decorrelated wait after a retry at once is drawn as the first one is", () => {
  const policy = { kind: "decorrelated", baseMs: 100, capMs: 10_000 } as const;
  for (const u of [0, 0.5, 0.999])
    assert.equal(
      backoffMs(policy, 1, 0, () => u),
      backoffMs(policy, 0, 0, () => u),
    );
});

test("a wait that varies by a share lies that much around it, and draws only then", () => {
  for (const [n, e] of [
    [0, 100],
    [1, 200],
    [4, 1000],
  ] as const) {
    const policy = { kind: "exponential", baseMs: 100, capMs: 1000, jitter: 0.2 } as const;
    const [least, most] = [0, 0.999999].map((u) => backoffMs(policy, n, 0, () => u));
    assert.ok(Math.abs((least ?? 0) - 0.8 * e) < 1e-6 && Math.abs((most ?? 0) - 1.2 * e) < 0.01, `${least}..${most}`);
  }
  const drawn = (): number => assert.fail("it drew");
  assert.equal(backoffMs({ kind: "fixed", baseMs: 7, capMs: 7 }, 3, 7, drawn), 7);
});

test("a factor of 1.5 makes each wait half as long again", () => {
  const policy = { kind: "exponential", baseMs: 500, capMs: 60_000, factor: 1.5 } as const;
  const waits = [0, 1, 2].map((n) => backoffMs(policy, n, 0, () => 0));
  assert.deepEqual(waits, [500, 750, 1125]);
});

test("a rising wait begins at the base, never falls, and stays below three times the one before and the cap", () => {
  const policy = { kind: "rising", baseMs: 5, capMs: 200 } as const;
  const rng = seededRng(1, "rising");
  let previous = backoffMs(policy, 0, 0, rng);
  assert.equal(previous, 5);
  for (let n = 1; n < 12; n += 1) {
    const wait = backoffMs(policy, n, previous, rng);
    assert.ok(wait >= previous && wait <= Math.min(200, 3 * previous), `${previous} then ${wait}`);
    previous = wait;
  }
  assert.ok(previous > 100, `it grows: ${previous}`);
});

test("a smooth wait is random from the first retry on, and all waits together lie on its curve", () => {
  const policy = { kind: "smooth", baseMs: 128, capMs: 30_000 } as const;
  const firsts = [0, 0.5, 0.999].map((u) => Math.round(backoffMs(policy, 0, 0, () => u)));
  assert.deepEqual(firsts, [0, 115, 176]);
  const rng = seededRng(3, "smooth");
  let waited = 0;
  for (let n = 0; n < 7; n += 1) {
    waited += backoffMs(policy, n, 0, rng, waited);
    const [from, to] = [2 ** n * Math.tanh(Math.sqrt(4 * n)), 2 ** (n + 1)];
    assert.ok(waited >= (from * 128) / 1.4 - 1e-6 && waited <= (to * 128) / 1.4, `${n}: ${waited}`);
  }
});
