import assert from "node:assert/strict";
import { test } from "node:test";
import { summarise } from "./summary.ts";
import { backend, CLIENT, FACTS, hop } from "../testdata/facts.ts";

const DEAD_FAULTS = { capacity: 90, errorRate: 1, latencyMs: 8 };

const close = (actual: number | null, wanted: number): void =>
  assert.ok(actual !== null && Math.abs(actual - wanted) < 1e-9, `${actual}, not ${wanted}`);

test("Amplification is what the backend counted for each client request", () => {
  const summary = summarise(FACTS);
  close(summary.amplification, 900 / 600);
  assert.deepEqual(
    [summary.clientRequests, summary.succeeded, summary.backendCalls, summary.wastedBackendCalls],
    [600, 500, 900, 4],
  );
  close(summary.successRate, 500 / 600);
  close(summary.offeredRps, 60);
});

test("A run whose books are in order is valid, and each tier reconciles", () => {
  const { valid, invalidReasons, tiers } = summarise(FACTS);
  assert.deepEqual([valid, invalidReasons], [true, []]);
  assert.deepEqual(Object.keys(tiers), ["edge", "api", "backend"]);
  assert.deepEqual(
    Object.values(tiers).map(({ lost }) => lost),
    [0, 0, 0],
  );
  assert.deepEqual(tiers["edge"]?.stopReasons, {
    success: 500,
    budget_exhausted: 80,
    attempts_exhausted: 20,
  });
});

test("The limit and how near the run came to it", () => {
  const { limit, goodputOfLimit } = summarise(FACTS);
  close(limit.successRate, 0.9);
  close(limit.amplification, 1.5);
  close(goodputOfLimit, 500 / 600 / 0.9);
});

test("CPU is what a process used during the run, as a share of a core", () => {
  const { tiers, generator } = summarise(FACTS);
  close(tiers["edge"]?.cpuShare ?? -1, 3000 / 10_000);
  close(tiers["backend"]?.cpuShare ?? -1, 2000 / 10_000);
  assert.equal(generator.cpuShare, 0.12);
});

// Case 4 of docs/cases.md.
test("Each hop has its own bound and the chain their product; a hop that may retry without end has none", () => {
  const { tiers, amplificationBound } = summarise(FACTS);
  close(tiers["edge"]?.bound ?? 0, 1.5);
  close(tiers["api"]?.bound ?? 0, 1.5);
  close(amplificationBound ?? 0, 2.25);
  assert.equal(tiers["backend"]?.bound, null);
  const endless = hop(
    "edge",
    { arrivals: 600, attempts: 600 },
    {
      maxAttempts: Infinity,
      budget: { kind: "none", ratio: 0, burst: 0, start: 0, minPerSecond: 0 },
    },
  );
  const unbounded = summarise({ ...FACTS, tiers: [endless, backend({ arrivals: 600 })] });
  assert.deepEqual([unbounded.tiers["edge"]?.bound, unbounded.amplificationBound], [null, null]);
});

test("Timeouts without a queue are the machine's, unless a call of the model itself takes that long", () => {
  const slowed = (stragglerMs?: number) => {
    const tiers = FACTS.tiers.map((tier) => {
      const { last } = tier;
      if (last.kind === "backend") {
        const now = { atMs: 0, capacity: 90, errorRate: 0, latencyMs: 8 };
        const faultsHistory = [stragglerMs === undefined ? now : { ...now, stragglerMs }];
        return { ...tier, last: { ...last, longestQueue: 0, faultsHistory } };
      }
      const attemptOutcomes = { ...last.attemptOutcomes, timeout: 90 };
      return { ...tier, last: { ...last, attemptOutcomes } };
    });
    return summarise({ ...FACTS, tiers }).invalidReasons.filter((why) => why.includes("never had a queue"));
  };
  assert.equal(slowed().length, 1);
  assert.deepEqual(slowed(300), []);
});

test("Where there is no process there is no CPU, and the run is judged by the rest", () => {
  const tiers = FACTS.tiers.map(({ description, last }) => ({ description, last }));
  const summary = summarise({ ...FACTS, tiers, clientCpuShare: null, world: "virtual", startedAt: null });
  assert.equal(summary.valid, true);
  assert.deepEqual(
    Object.values(summary.tiers).map(({ cpuShare }) => cpuShare),
    [null, null, null],
  );
});

test("CPU and lag are those of the schedule's time; a quiet wait for the last answers does not dilute them", () => {
  const api = FACTS.tiers[1];
  assert.ok(api?.begun !== undefined);
  const { begun, last } = api;
  const loaded = { ...last, cpuMs: begun.cpuMs + 9500, uptimeMs: begun.uptimeMs + 10_000, loopLagP99Ms: 80 };
  const drained = { ...loaded, uptimeMs: begun.uptimeMs + 25_000, loopLagP99Ms: 2 };
  const tiers = FACTS.tiers.map((tier) => (tier === api ? { ...api, loaded, last: drained } : tier));
  const { tiers: shown, invalidReasons } = summarise({ ...FACTS, tiers });
  close(shown["api"]?.cpuShare ?? -1, 0.95);
  assert.match(invalidReasons.join("\n"), /api used 95\.0 % of a core; api's event loop was 80\.0 ms late/);
});

test("A tier that may send second copies says what became of them, also where there were none; others say nothing", () => {
  const hedge = { trigger: { kind: "quantile", quantile: 0.95 }, ratio: 0.05 } as const;
  const hedges = { sent: 3, won: 2, suppressed: 1, denied: 0 };
  const [edge, , last] = FACTS.tiers;
  assert.ok(edge !== undefined && last !== undefined);
  const api = hop("api", { arrivals: 798, attempts: 900, hedges }, { replicas: 2, hedge });
  const { tiers } = summarise({ ...FACTS, tiers: [edge, api, last] });
  assert.deepEqual(tiers["api"]?.hedged, hedges);
  assert.ok(!("hedged" in (tiers["edge"] ?? {})));
});

test("A closed loop's rate is what it sent, and its limit is that of this rate", () => {
  const { offeredRps, limit, generator } = summarise({
    ...FACTS,
    mode: "closed",
    loadedS: 20,
    plan: { ...FACTS.plan, durationS: 20 },
  });
  close(offeredRps, 30);
  close(limit.successRate, 1);
  assert.equal(generator.mode, "closed");
});

test("A run that was ended early is compared with what was offered until then", () => {
  const client = { ...CLIENT, due: 300 };
  const summary = summarise({ ...FACTS, loadedS: 5, client, incidents: ["it was interrupted."] });
  assert.equal(summary.valid, false);
  close(summary.offeredRps, 60);
  close(summary.limit.successRate, 0.9);
});

test("A run without a single request is INVALID for that one reason, and no ratio of it is a number", () => {
  const client = { ...CLIENT, due: 0, ended: 0, late: 0, outcomes: { ...CLIENT.outcomes, ok: 0, failed: 0 } };
  const tiers = [hop("edge", {}), backend({})];
  const rateProfile = [{ atS: 0, rate: 0, ramp: false }];
  const summary = summarise({ ...FACTS, client, tiers, plan: { ...FACTS.plan, rateProfile } });
  assert.equal(summary.valid, false);
  assert.match(summary.invalidReasons.join("\n"), /^nothing was measured: [^\n]*$/);
  const { successRate, amplification, amplificationBound, limit, goodputOfLimit } = summary;
  const ratios = [successRate, amplification, amplificationBound, limit.successRate, limit.amplification];
  assert.deepEqual([...ratios, goodputOfLimit, summary.tiers["edge"]?.bound], Array(7).fill(null));
});

test("Where no policy could have had a good answer, no share of the limit is told", () => {
  const dead = backend({ arrivals: 900, failed: 900, faultsHistory: [{ ...DEAD_FAULTS, atMs: 0 }] });
  const { limit, goodputOfLimit, valid } = summarise({ ...FACTS, tiers: [...FACTS.tiers.slice(0, -1), dead] });
  assert.deepEqual([limit.successRate, goodputOfLimit, valid], [0, null, true]);
});

test("What was due and never got a connection was dropped, and is not among what was sent", () => {
  const { generator } = summarise({ ...FACTS, client: { ...CLIENT, unsent: 7 } });
  assert.deepEqual([generator.scheduled, generator.sent, generator.dropped], [600, 593, 7]);
});

test("The shortest timeout in force is that of the hops' attempts, deadlines and hedges, and of the client", () => {
  const client = { ...CLIENT, late: 9, lateMaxMs: 15, latencyMs: { ...CLIENT.latencyMs, p50: 900 } };
  const gradeWith = (policy: Parameters<typeof hop>[2], clientTimeoutMs = Infinity) => {
    const [edge, api, last] = FACTS.tiers;
    assert.ok(edge && api?.last.kind === "hop" && last);
    const tiers = [edge, hop("api", api.last, { attemptTimeoutMs: Infinity, ...policy }), last];
    return summarise({ ...FACTS, client, tiers, clientTimeoutMs }).validity;
  };
  const hedge = (delayMs: number) => ({ hedge: { trigger: { kind: "delay", delayMs }, ratio: 0.05 } as const });
  assert.deepEqual(
    [gradeWith({}), gradeWith({ attemptTimeoutMs: 140 }), gradeWith({ deadlineMs: 140 }), gradeWith({}, 140)],
    ["noisy", "invalid", "invalid", "invalid"],
  );
  assert.deepEqual([gradeWith(hedge(160)), gradeWith(hedge(140))], ["noisy", "invalid"]);
});

test("Where there are processes, the lag of each is told, the load's own too", () => {
  assert.deepEqual(summarise(FACTS).loopLagMs, { load: 1, edge: 1, api: 1, backend: 1 });
  assert.ok(!("loopLagMs" in summarise({ ...FACTS, clientLagMs: null })));
});
