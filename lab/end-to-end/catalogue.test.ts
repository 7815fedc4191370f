/** Each preset of policies/production against the numbers of what it stands for, documented or measured. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { bench, always, SILENT } from "../../services/hop/testdata/upstream.ts";
import { createBudget } from "../../services/policy/budget/budget.ts";
import type { Reply } from "../../services/policy/outcome.ts";
import { runOf } from "../runs/testdata/run-of.ts";
import { cataloguePage, presetsIn, retriesAtOnce } from "../toolchain/catalogue-page.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const presets = presetsIn(root);
const policyOf = (name: string) =>
  presets.find((preset) => preset.name === `production/${name}`)?.policy ?? assert.fail(`no preset ${name}`);

const UNAVAILABLE: Reply = { outcome: "overloaded", status: 503 };
const BROKEN: Reply = { outcome: "failed", status: 500 };
const THROTTLED: Reply = { outcome: "overloaded", status: 429 };
const REFUSED: Reply = { outcome: "failed", status: 0, sent: false };

/** The waits before the retries of one call whose every attempt is answered at once. */
function waitsOf(name: string, reply: Reply | typeof SILENT): number[] {
  const { clock, up, ask } = bench(policyOf(name), always(reply, 0));
  ask();
  clock.runUntilIdle();
  const times = up.sent.map(({ atMs }) => atMs);
  return times.slice(1).map((at, n) => at - (times[n] ?? 0));
}

test("the catalogue has at least 18 presets, and each begins with what it is, its source and its version", () => {
  assert.ok(presets.length >= 18, String(presets.length));
  for (const { name, what, source, version } of presets) {
    assert.ok(what !== "" && source !== "" && version !== "", name);
  }
});

test("docs/catalogue.md is what the presets make of it", () => {
  assert.equal(readFileSync(`${root}docs/catalogue.md`, "utf8"), cataloguePage(root));
});

for (const { name } of presets) {
  test(`${name} runs in virtual time: VALID, and within its bound`, () => {
    const { valid, amplification, amplificationBound, clientRequests } = runOf({ DURATION_S: "4" }, name);
    assert.equal(valid, true);
    assert.ok(clientRequests > 0 && amplificationBound !== null);
    assert.ok(
      (amplification ?? Infinity) <= amplificationBound + 1e-9,
      `${amplification}, bound ${amplificationBound}`,
    );
  });
}

/** [least, most] of each wait, in milliseconds. */
const WAITS: readonly (readonly [name: string, reply: Reply, waits: readonly (readonly [number, number])[]])[] = [
  // Measured: 510, 1003, 2002, 4004, 8004.
  ["undici", UNAVAILABLE, [500, 1000, 2000, 4000, 8000].map((ms) => [ms, ms])],
  // 1058, 2021.
  [
    "got",
    UNAVAILABLE,
    [
      [1000, 1101],
      [1999, 2201],
    ],
  ],
  // 308, 605.
  [
    "ky",
    UNAVAILABLE,
    [
      [300, 300],
      [600, 600],
    ],
  ],
  // 8, 4, 3: no wait at all.
  [
    "axios-retry",
    UNAVAILABLE,
    [
      [0, 0],
      [0, 0],
      [0, 0],
    ],
  ],
  // 1006, 1004, 1002.
  [
    "fetch-retry",
    UNAVAILABLE,
    [
      [1000, 1000],
      [1000, 1000],
      [1000, 1000],
    ],
  ],
  // 4.
  ["ofetch", UNAVAILABLE, [[0, 0]]],
  // Documented: 1 s · 2^n without a cap.
  ["p-retry", UNAVAILABLE, Array.from({ length: 10 }, (_, n) => [1000 * 2 ** n, 1000 * 2 ** n] as const)],
  // 1220, 3105, 6665 are each U(1, 2) times 1, 2 and 4 s.
  [
    "async-retry",
    UNAVAILABLE,
    Array.from({ length: 10 }, (_, n) => [999 * 2 ** n, Math.min((600_000 * 4) / 3, 2001 * 2 ** n)] as const),
  ],
  // 162, 88, 366.
  [
    "cockatiel",
    UNAVAILABLE,
    [
      [0, 177],
      [0, 366],
      [0, 732],
    ],
  ],
  [
    "azure",
    UNAVAILABLE,
    [
      [500, 1000],
      [1000, 2000],
      [2000, 4000],
    ],
  ],
  [
    "aws-2026",
    BROKEN,
    [
      [0, 50],
      [0, 100],
    ],
  ],
  [
    "aws-2026",
    THROTTLED,
    [
      [0, 1000],
      [0, 2000],
    ],
  ],
  [
    "aws-2026-04",
    BROKEN,
    [
      [0, 100],
      [0, 200],
    ],
  ],
  [
    "aws-2026-04",
    THROTTLED,
    [
      [0, 500],
      [0, 1000],
    ],
  ],
  // 102, 189, 343 are U(0.8, 1.2) times 100, 200 and 400.
  [
    "grpc-a6",
    UNAVAILABLE,
    [
      [80, 120],
      [160, 240],
      [320, 480],
    ],
  ],
  [
    "finagle",
    BROKEN,
    [
      [5, 5],
      [5, 15],
    ],
  ],
  ["envoy", BROKEN, [[0, 25]]],
  [
    "envoy-gateway",
    UNAVAILABLE,
    [
      [0, 25],
      [0, 50],
    ],
  ],
  [
    "istio",
    REFUSED,
    [
      [0, 25],
      [0, 50],
    ],
  ],
  ["linkerd-annotations", BROKEN, [[24.9, 50.1]]],
  [
    "polly",
    BROKEN,
    [
      [2000, 2000],
      [2000, 2000],
      [2000, 2000],
    ],
  ],
  [
    "resilience4j",
    BROKEN,
    [
      [500, 500],
      [500, 500],
    ],
  ],
  [
    "failsafe",
    BROKEN,
    [
      [0, 0],
      [0, 0],
    ],
  ],
  [
    "haproxy",
    REFUSED,
    [
      [1000, 1000],
      [1000, 1000],
      [1000, 1000],
    ],
  ],
];

for (const [name, reply, bounds] of WAITS) {
  test(`${name} waits before its ${bounds.length} retries of ${reply.status || "a refused connection"} as it does in production`, () => {
    const waits = waitsOf(name, reply);
    assert.equal(waits.length, bounds.length, String(waits));
    for (const [n, [least, most]] of bounds.entries()) {
      const wait = waits[n] ?? NaN;
      assert.ok(wait >= least - 1e-6 && wait <= most + 1e-6, `wait ${n} is ${wait}, not ${least} to ${most}`);
    }
  });
}

test("with attempts enough Envoy's waits lie below 25, 50, 100, 200, 250 ms", () => {
  const policy = { ...policyOf("istio"), maxAttempts: 6 };
  const most = [0, 0, 0, 0, 0];
  for (let call = 0; call < 200; call += 1) {
    const { clock, up, ask } = bench(policy, always(REFUSED, 0));
    ask({ id: `call ${call}` });
    clock.runUntilIdle();
    for (const [n, { atMs }] of up.sent.slice(1).entries()) {
      most[n] = Math.max(most[n] ?? 0, atMs - (up.sent[n]?.atMs ?? 0));
    }
  }
  for (const [n, bound] of [25, 50, 100, 200, 250].entries()) {
    assert.ok((most[n] ?? 0) < bound && (most[n] ?? 0) > 0.9 * bound, `${most[n]} of ${bound}`);
  }
});

// Measured: got retries an attempt that took too long; undici, axios-retry and ky do not.
for (const [name, retries] of [
  ["got", 2],
  ["undici", 0],
  ["axios-retry", 0],
  ["ky", 0],
  ["ofetch", 1],
] as const) {
  test(`${name} makes ${retries} retries where the callee is silent`, () => {
    assert.equal(waitsOf(name, SILENT).length, retries);
  });
}

for (const [name, reply] of [
  ["istio", UNAVAILABLE],
  ["haproxy", BROKEN],
  ["nginx-three-peers", BROKEN],
  ["nginx", REFUSED],
  ["fetch-retry", BROKEN],
  ["envoy-gateway", BROKEN],
] as const) {
  test(`${name} does not retry ${reply.status || "a refused connection"}`, () =>
    assert.deepEqual(waitsOf(name, reply), []));
}

// Measured with the packages: 400 requests in a total outage.
for (const [name, reply, retries] of [
  ["aws-2026", BROKEN, 35],
  ["aws-2026", THROTTLED, 100],
  ["aws-2026-04", BROKEN, 50],
  ["aws-2026-04", THROTTLED, 100],
  ["aws-2025", BROKEN, 50],
] as const) {
  test(`${name} makes ${retries} retries of ${reply.status} in a total outage, and then none`, () => {
    const budget = createBudget(policyOf(name).budget, 0);
    const made = Array.from({ length: 400 }, () => budget.tryWithdraw(0, reply)).filter(Boolean).length;
    assert.equal(made, retries);
  });
}

test("one success after an outage gives aws-2026 one token, and aws-2025 all 500", () => {
  const tokensAfter = (name: string): number => {
    const { budget: policy } = policyOf(name);
    const budget = createBudget(policy, 0);
    while (budget.tryWithdraw(0, BROKEN));
    budget.deposit("success", 0);
    return Math.round(budget.balance(0) * (policy.cost ?? 1));
  };
  assert.equal(tokensAfter("aws-2026"), 11);
  assert.equal(tokensAfter("aws-2025"), 500);
});

test("told to wait a minute, an AWS client waits five seconds more than it would have, and most others a minute", () => {
  const told: Reply = { ...UNAVAILABLE, retryAfterMs: 60_000 };
  assert.ok((waitsOf("aws-2026", told)[0] ?? 0) <= 5050);
  for (const name of ["undici", "got", "ky", "axios-retry", "grpc-a6", "azure"])
    assert.equal(waitsOf(name, told)[0], 60_000, name);
});

test("grpc-a6, three attempts that all fail, one call after the other: 3, 2, 1, 1, 1", () => {
  const { clock, up, ask } = bench({ ...policyOf("grpc-a6"), maxAttempts: 3 }, always(UNAVAILABLE, 1));
  const made = [1, 2, 3, 4, 5].map(() => {
    const before = up.sent.length;
    ask();
    clock.runUntilIdle();
    return up.sent.length - before;
  });
  assert.deepEqual(made, [3, 2, 1, 1, 1]);
});

test("a fresh Finagle affords 100 retries, and 300 after 1,000 requests; Linkerd and tower stay at 100 until something succeeds", () => {
  const after = (name: string, event: "request" | "success"): number => {
    const budget = createBudget(policyOf(name).budget, 0);
    for (let n = 0; n < 1000; n += 1) budget.deposit(event, n);
    return Math.round(budget.balance(999));
  };
  assert.equal(after("finagle", "request"), 300);
  for (const name of ["linkerd-profile", "tower"]) {
    assert.equal(after(name, "request"), 100);
    assert.equal(after(name, "success"), 300);
  }
});

test("a thousand calls that fail at once are answered by so many retries", () => {
  const wanted = {
    envoy: 3,
    "envoy-budget": 166,
    "envoy-budget-interval": 200,
    "aws-2026": 35,
    finagle: 300,
    "linkerd-profile": 100,
    istio: 1000,
    undici: 1000,
  };
  for (const [name, retries] of Object.entries(wanted))
    assert.equal(retriesAtOnce(policyOf(name), 1000), retries, name);
});
