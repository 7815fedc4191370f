/**
 * `npm run fuzz`: every door of the lab, tried for some seconds with what nobody has thought of.
 *
 *     npm run fuzz                        60 s, with a seed of its own, which it prints
 *     npm run fuzz -- --seed 7            the same tries again, as far as the seconds reach
 *     npm run fuzz -- --seconds 600       longer
 *     npm run fuzz -- HTTP                the doors whose name has the word
 *
 * exit 0: each door took or told whatever came; exit 1: one broke, and the smallest case that breaks it is printed.
 */
import { parseArgs } from "node:util";
import { DOORS, tryDoor } from "./fuzz.ts";

const { values, positionals } = parseArgs({
  options: { seed: { type: "string" }, seconds: { type: "string", default: "60" } },
  allowPositionals: true,
});
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const doors = DOORS.filter(({ name }) => positionals.every((word) => name.includes(word)));
if (!Number.isInteger(seed) || !(Number(values.seconds) > 0) || doors.length === 0) {
  console.error(
    `npm run fuzz: a whole seed, seconds above 0, and a word of: ${DOORS.map(({ name }) => name).join(", ")}.`,
  );
  process.exit(2);
}
const interruptAfterTimeLimit = (Number(values.seconds) * 1000) / doors.length;
console.log(`seed ${seed}`);
for (const door of doors) {
  try {
    const tries = await tryDoor(door, { seed, numRuns: 1_000_000_000, interruptAfterTimeLimit });
    console.log(`ok ${String(tries).padStart(8)} tries  ${door.name}`);
  } catch (error) {
    console.error(`BROKEN  ${door.name}: ${error instanceof Error ? error.message : String(error)}`);
    console.error(`The same again: npm run fuzz -- --seed ${seed} "${door.name}"`);
    process.exitCode = 1;
  }
}
