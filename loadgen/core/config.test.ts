import assert from "node:assert/strict";
import { test } from "node:test";
import { readValues } from "../../services/settings/values.ts";
import { loadConfigOf } from "./config.ts";

test("By default the generator offers the reference load", () => {
  assert.deepEqual(loadConfigOf(readValues({})), {
    mode: "open",
    rate: 60,
    durationS: 20,
    arrivals: "constant",
    rateProfile: [],
    seed: 1,
    warmupS: 1,
    writeShare: 0,
    idempotencyKeys: true,
    closedConnections: 10,
    clientTimeoutMs: 10_000,
    clientConnections: 1024,
    drainS: 15,
    reportsDir: "reports",
    policy: "naive",
    world: "auto",
    scenario: "reference",
    chain: [],
  });
});

test("Every knob of the load reaches the generator", () => {
  const env = {
    LOAD: "open",
    RATE: "33.3",
    DURATION_S: "30",
    ARRIVALS: "poisson",
    RATE_PROFILE: "at 5s rate 120; by 20s rate 200",
    SEED: "7",
    WARMUP_S: "0",
    WRITE_SHARE: "0.5",
    IDEMPOTENCY_KEYS: "0",
    CLOSED_CONNECTIONS: "3",
    CLIENT_TIMEOUT_MS: "off",
    CLIENT_CONNECTIONS: "8",
    DRAIN_S: "2",
    REPORTS_DIR: "/tmp/somewhere",
    POLICY: "mine",
    WORLD: "process",
    SCENARIO: "dip",
    CHAIN: "edge=http://127.0.0.1:1,api=http://127.0.0.1:2,backend=http://127.0.0.1:3",
  };
  assert.deepEqual(loadConfigOf(readValues(env)), {
    mode: "open",
    rate: 33.3,
    durationS: 30,
    arrivals: "poisson",
    rateProfile: [
      { atS: 5, rate: 120, ramp: false },
      { atS: 20, rate: 200, ramp: true },
    ],
    seed: 7,
    warmupS: 0,
    writeShare: 0.5,
    idempotencyKeys: false,
    closedConnections: 3,
    clientTimeoutMs: Infinity,
    clientConnections: 8,
    drainS: 2,
    reportsDir: "/tmp/somewhere",
    policy: "mine",
    world: "process",
    scenario: "dip",
    chain: [
      { name: "edge", url: "http://127.0.0.1:1" },
      { name: "api", url: "http://127.0.0.1:2" },
      { name: "backend", url: "http://127.0.0.1:3" },
    ],
  });
});

test("A closed loop is chosen by LOAD", () => {
  assert.equal(loadConfigOf(readValues({ LOAD: "closed" })).mode, "closed");
});
