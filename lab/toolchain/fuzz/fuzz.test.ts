/** A short part of `npm run fuzz`, the same each time; and that a door which breaks is found. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ConfigError } from "../../../services/settings/known-error.ts";
import { takenOrTold } from "./door.ts";
import { DOORS, tryDoor } from "./fuzz.ts";

for (const door of DOORS) {
  test(`Whatever comes in is taken or told: ${door.name}`, async () => {
    assert.equal(await tryDoor(door, { seed: 1, numRuns: 40 }), 40);
  });
}

test("A door that answers something with a stack is found, with the smallest case and its seed", async () => {
  const told = (n: number) => takenOrTold(() => assert.ok(n < 10));
  const door = { name: "broken", open: () => fc.asyncProperty(fc.nat(), told) };
  await assert.rejects(tryDoor(door, { seed: 3, numRuns: 100 }), /seed: 3.*Counterexample: \[10\]/su);
});

test("An error for a person is no break, one that nobody could read is", async () => {
  const saying = (text: string) => () => {
    throw new ConfigError([text]);
  };
  await takenOrTold(saying("RATE=x: it must be a number"));
  await assert.rejects(takenOrTold(saying("x".repeat(50_000))), /a message of 50000 characters/u);
});
