import assert from "node:assert/strict";
import { test } from "node:test";
import { knobNamed } from "../../../services/settings/knobs/knobs.ts";
import { ONE_WAY_MS } from "../../worlds/virtual/core/run.ts";
import { runOf } from "../../runs/testdata/run-of.ts";
import { oneWayFrom, oneWaySettings, oneWayText } from "./one-way.ts";
import { measured } from "../../../loadgen/testdata/measured.ts";

const light = (ONE_WAY_MS: string) => runOf({ ...oneWaySettings(60, 90), ONE_WAY_MS });

test("The one-way latency that a run was made with is found again from its p50", () => {
  for (const ms of [0, 0.4, 1.25, 7]) {
    assert.deepEqual(oneWayFrom(light(String(ms)), light("0"), 2), { ms, from: "measured" });
  }
});

test("A one-way latency is never below 0, whatever was measured", () => {
  assert.equal(oneWayFrom(light("0"), light("1"), 2).ms, 0);
});

test("The run that measures it has no errors and so little load that nothing queues", () => {
  const settings = oneWaySettings(500, 90);
  assert.deepEqual([settings["RATE"], settings["ERROR_RATE"]], ["60", "0"]);
  const { amplification, successRate, latencyMs } = light("0.4");
  assert.deepEqual([amplification, successRate], [1, 1]);
  assert.ok(measured(latencyMs.max) < 12, String(latencyMs.max));
});

test("ONE_WAY_MS lengthens each request by its six links, and is the model's own where nobody sets it", () => {
  const [near, far] = [light("0.4"), light("2.4")].map(({ latencyMs }) => latencyMs.p50);
  assert.ok(Math.abs((far ?? 0) - (near ?? 0) - 6 * 2) < 0.1, `${near} became ${far}`);
  assert.equal(Number(knobNamed("ONE_WAY_MS")?.default), ONE_WAY_MS);
});

test("The text says where the one-way latency comes from", () => {
  assert.match(oneWayText({ ms: 1.1, from: "measured" }, 0.4), /1\.1 ms \(measured first.*own is 0\.4 ms/);
  assert.match(oneWayText({ ms: 2, from: "given" }, 0.4), /2 ms \(as ONE_WAY_MS says/);
  assert.match(oneWayText({ ms: 0.4, from: "invalid" }, 0.4), /INVALID/);
  assert.match(oneWayText({ ms: 0.4, from: "model" }, 0.4), /ONE_WAY_MS sets another/);
});
