import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { ConfigError, readValues } from "../../../services/settings/values.ts";
import { resolveEnvironment } from "../../../services/settings/resolve.ts";
import { constantArrivals, referenceConfig, runAndRecord } from "./testdata/reference.ts";
import { virtualConfigOf } from "./config.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

function configOf(policy: string, explicit: Record<string, string> = {}) {
  const values = readValues(resolveEnvironment({ root, policy, overrides: { explicit, ambient: {} } }).env);
  const load = { seed: 1, durationS: 20, drainS: 15, clientTimeoutMs: Infinity, clientConnections: 1024 };
  return virtualConfigOf(values, ["edge", "api"], load, constantArrivals(60, 20));
}

for (const name of ["naive", "budgeted", "owner"] as const) {
  test(`policies/${name}.env is the reference setting: the runs are the same`, () => {
    const fromFile = runAndRecord(configOf(name));
    const fromPlainData = runAndRecord(referenceConfig(name, 1));
    assert.deepEqual(fromFile.records, fromPlainData.records);
    assert.deepEqual(fromFile.result, fromPlainData.result);
  });
}

test("an override changes the hop that it names, and only that one", () => {
  const { hops } = configOf("naive", { API_MAX_ATTEMPTS: "1" });
  assert.deepEqual(
    hops.map(({ name, policy }) => [name, policy.maxAttempts]),
    [
      ["edge", 3],
      ["api", 1],
    ],
  );
});

test("Several instances and a shared budget are refused, also where an experiment chose virtual time by itself", () => {
  assert.throws(
    () => configOf("budgeted", { API_INSTANCES: "4", API_BUDGET_SCOPE: "fleet" }),
    (error) => {
      assert.ok(error instanceof ConfigError);
      assert.deepEqual(error.problems, [
        "api has 4 instances (INSTANCES), which virtual time does not know. Use WORLD=process.",
        "api shares its budget (BUDGET_SCOPE=fleet), which virtual time does not know. Use WORLD=process.",
      ]);
      return true;
    },
  );
});
