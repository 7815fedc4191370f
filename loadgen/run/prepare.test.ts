import assert from "node:assert/strict";
import { test } from "node:test";
import type { LoadConfig } from "../core/config.ts";
import type { PacerParts } from "../send/pacer.ts";
import { awaitReady, settle, warmUp } from "./prepare.ts";
import { schedule } from "../core/schedule.ts";
import { backend } from "../testdata/facts.ts";
import { sceneOf, tierAs } from "../testdata/stage.ts";
import { TierError, type Tier } from "./tiers.ts";

const busyFor = (questions: number, inFlight: number): Tier["stats"] => {
  let asked = 0;
  return async () => backend({ inFlight: (asked += 1) <= questions ? inFlight : 0 }).last;
};

const CONFIG = {
  rate: 10,
  durationS: 20,
  seed: 4,
  warmupS: 1,
  drainS: 2,
  clientConnections: 1024,
  rateProfile: [{ atS: 0, rate: 500, ramp: false }],
  arrivals: "poisson",
  writeShare: 1,
} as unknown as LoadConfig;

/** Hands out a whole schedule at once. */
const paceAtOnce = ({ config, onStart, onDue }: PacerParts) => {
  onStart(100);
  for (const arrival of schedule(config)) onDue(arrival);
  return { over: Promise.resolve(), stop: () => {} };
};

test("The tiers are waited for until the last of them is ready", async () => {
  let asked = 0;
  const slow = tierAs("api", {
    readiness: async () => ((asked += 1) < 5 ? "connect ECONNREFUSED" : undefined),
  });
  const scene = sceneOf([tierAs("edge"), slow]);
  await awaitReady(scene);
  assert.equal(asked, 5);
  assert.equal(scene.time.ms, 400, "it looks every 100 ms");
});

test("Tiers that are not ready after 30 s are all named with their reasons, and only they", async () => {
  const deaf = (name: string, why: string): Tier => tierAs(name, { readiness: async () => why });
  const scene = sceneOf([tierAs("edge"), deaf("api", "it answers 503"), deaf("backend", "connect ECONNREFUSED")]);
  await assert.rejects(awaitReady(scene), (error) => {
    assert.ok(error instanceof TierError);
    assert.equal(
      error.message,
      "not ready after 30 s: api (http://api/healthz): it answers 503; backend (http://backend/healthz): connect ECONNREFUSED. Start it, or correct CHAIN.",
    );
    return true;
  });
  assert.equal(scene.time.ms, 30_000);
});

test("Whoever stops the run is not kept waiting for a tier", async () => {
  const scene = sceneOf([tierAs("edge", { readiness: async () => "it answers 503" })], AbortSignal.abort());
  await awaitReady(scene);
  assert.equal(scene.time.ms, 0);
});

test("All is still only when it was so twice in a row: a call may be between two tiers", async () => {
  const answers = [3, 0, 2, 0, 0, 9];
  let asked = 0;
  const tier = tierAs("backend", { stats: async () => backend({ inFlight: answers[asked++] ?? 9 }).last });
  assert.equal(await settle(sceneOf([tier]), 5000), 0);
  assert.equal(asked, 5);
});

test("What is still under way when the wait ends is handed back: the most that any tier has", async () => {
  const tiers = [tierAs("edge", { stats: busyFor(Infinity, 2) }), tierAs("api", { stats: busyFor(Infinity, 7) })];
  const scene = sceneOf(tiers);
  assert.equal(await settle(scene, 1000), 7);
  assert.equal(scene.time.ms, 1000);
  assert.equal(await settle(sceneOf(tiers), 0), 7, "without a wait it looks once");
});

test("The warm-up is the run's rate, evenly, with reads, on a backend that cannot fail", async () => {
  const faults: unknown[] = [];
  const changeFaults: Tier["changeFaults"] = async (body) => void faults.push(body);
  const never: Tier["changeFaults"] = () => Promise.reject(new Error("only the backend has faults"));
  const scene = sceneOf([tierAs("edge", { changeFaults: never }), tierAs("backend", { changeFaults })]);
  await warmUp(scene, CONFIG, paceAtOnce);
  assert.deepEqual(faults, [{ capacity: 100_000, errorRate: 0 }]);
  const [atOnce, paced] = [scene.sent.slice(0, 32), scene.sent.slice(32)];
  assert.ok(
    atOnce.every(({ intendedMs }) => intendedMs === 0),
    "32 connections are there before they are needed",
  );
  assert.deepEqual(
    paced.map(({ intendedMs }) => Math.round(intendedMs)),
    [0, 100, 200, 300, 400, 500, 600, 700, 800, 900],
  );
  assert.equal(new Set(scene.sent.map(({ id }) => id)).size, 42);
});

test("The warm-up does not ask for more connections than the client may have", async () => {
  const scene = sceneOf([tierAs("backend")]);
  await warmUp(scene, { ...CONFIG, clientConnections: 1 }, paceAtOnce);
  assert.equal(scene.sent.length, 1 + 10);
});

test("Without a warm-up nothing is sent, and the backend keeps its faults", async () => {
  const scene = sceneOf([tierAs("backend", { changeFaults: () => Promise.reject(new Error("it is left alone")) })]);
  await warmUp(scene, { ...CONFIG, warmupS: 0 }, paceAtOnce);
  assert.deepEqual(scene.sent, []);
});

test("A warm-up that does not end stops the run with the count, the wait and its variable", async () => {
  const scene = sceneOf([tierAs("backend", { stats: busyFor(Infinity, 12) })]);
  await assert.rejects(
    warmUp(scene, CONFIG, paceAtOnce),
    (error) =>
      error instanceof TierError &&
      /^12 warm-up requests were still under way after 2 s \(DRAIN_S\): .*RATE=10/.test(error.message),
  );
});

test("A warm-up that is stopped hands out no more, and is no fault", async () => {
  const controller = new AbortController();
  const scene = sceneOf([tierAs("backend", { stats: busyFor(Infinity, 12) })], controller.signal);
  let halted = 0;
  await warmUp(scene, CONFIG, () => {
    queueMicrotask(() => controller.abort());
    let end = (): void => {};
    const over = new Promise<void>((resolve) => (end = resolve));
    const stop = (): void => {
      halted += 1;
      end();
    };
    return { over, stop };
  });
  assert.equal(halted, 1);
});
