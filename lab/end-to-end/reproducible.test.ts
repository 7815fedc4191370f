/**
 * The same seed gives the same bytes, on every machine and every version of Node: the hashes below were committed, and
 * a run must meet them. Whoever changes the model, a policy's default or the format of a record changes them
 * knowingly.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { referenceConfig, runAndRecord, type SettingName } from "../worlds/virtual/testdata/reference.ts";

const GOLDEN: Record<SettingName, string> = {
  naive: "00e574ba720aee8a9cbb079b1cd804c7541166086308757d2dce5c34f5be05be",
  budgeted: "b179968b8d4cb8f45287142dfaa552e9ea11ac7b34d4d19f4e3c502c200d071a",
  owner: "a9b65702fbcf5cca757c1bd3720509bcc478b79ee8e7fdb8a1f822dfa5aec3d9",
};

function hashOf(name: SettingName): string {
  const { records, result } = runAndRecord(referenceConfig(name, 1));
  const lines = records.map((record) => `${JSON.stringify(record)}\n`);
  const hash = createHash("sha256").update(lines.join(""));
  const tiers = result.hops.map(({ name: hop, arrivals, attempts }) => [hop, arrivals, attempts]);
  const { arrivals, ok, failed, shed, wasted, longestQueue } = result.backend;
  return hash.update(JSON.stringify([tiers, arrivals, ok, failed, shed, wasted, longestQueue])).digest("hex");
}

for (const name of ["naive", "budgeted", "owner"] as const) {
  test(`the reference run of ${name} is the same to the byte as the one that was committed`, () => {
    assert.equal(hashOf(name), GOLDEN[name]);
  });
}
