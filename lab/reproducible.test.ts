/**
 * The same seed gives the same bytes, on every machine and every version of Node: the hashes below were committed, and
 * a run must meet them. Whoever changes the model, a policy's default or the format of a record changes them
 * knowingly.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { referenceConfig, runAndRecord, type SettingName } from "./virtual/testdata/reference.ts";

const GOLDEN: Record<SettingName, string> = {
  naive: "c91c8dfe3961efdfeda21535579a0979cf11e08c00856a0538dc9075fa99ba8a",
  budgeted: "9eb33d1c1f0624bc3de4b0c6fcac4082ff8c78ebf0f50f65fd9db679e59c313d",
  owner: "9dfce82c8b94fd1924349524670b58dc198fb19786a72758a9f0f3d35a8448ce",
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
