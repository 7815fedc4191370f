import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ConfigError } from "../../services/settings/values.ts";
import { planned, type Wanted } from "./planned.ts";
import { contextWith } from "./testdata/context.ts";
import { userWords } from "../../services/settings/user-words.ts";

const root = mkdtempSync(join(tmpdir(), "planned-"));
after(() => rmSync(root, { recursive: true }));
mkdirSync(join(root, "policies"));
writeFileSync(join(root, "policies", "naive.env"), "");
writeFileSync(join(root, ".env"), "CAPACITY=70\nERROR_RATE=0.2\n");

const ARMS: readonly Wanted[] = [
  { name: "a", scene: { CAPACITY: "50", RATE: "9" }, settings: { MAX_ATTEMPTS: "1" }, derived: { WORLD: "virtual" } },
  { name: "b", scene: { CAPACITY: "50", RATE: "9" }, settings: { MAX_ATTEMPTS: "2", QUEUE_LIMIT: "5" } },
];

/** What is planned with this environment beside a .env, and what is said of it. */
function plan(environment: Readonly<Record<string, string>>) {
  const notes: string[] = [];
  const context = { ...contextWith(), ...userWords({ root, environment }), note: (text: string) => notes.push(text) };
  return { envs: planned(context, ARMS).map(({ env }) => env), notes };
}

test("A word of the user's beats the scene, typed or exported; .env does not, and that is said", () => {
  const { envs, notes } = plan({ RATE: "7", CAPACITY: "60", LAB_OVERRIDES: "RATE" });
  for (const env of envs) assert.deepEqual([env["RATE"], env["CAPACITY"], env["ERROR_RATE"]], ["7", "60", "0.2"]);
  assert.deepEqual(notes, []);
  const alone = plan({});
  assert.deepEqual(
    alone.envs.map((env) => env["CAPACITY"]),
    ["50", "50"],
  );
  assert.deepEqual(alone.notes, ["CAPACITY=70 in .env does not hold here: the experiment sets it itself."]);
});

test("What is exported and holds in no run is said and not refused", () => {
  const { notes } = plan({ MAX_ATTEMPTS: "7", CAPACITY: "60" });
  assert.deepEqual(notes, ["MAX_ATTEMPTS=7 in the environment does not hold here: the experiment sets it itself."]);
});

test("What is typed is refused by name where no run has it, and where some have it, it is said which have not", () => {
  assert.throws(
    () => plan({ MAX_ATTEMPTS: "7", LAB_OVERRIDES: "MAX_ATTEMPTS" }),
    (error) =>
      error instanceof ConfigError && error.message.startsWith("MAX_ATTEMPTS=7: this experiment sets that itself"),
  );
  const { envs, notes } = plan({ QUEUE_LIMIT: "8", CAPACITY: "60", LAB_OVERRIDES: "QUEUE_LIMIT" });
  assert.deepEqual(
    envs.map((env) => env["QUEUE_LIMIT"]),
    ["8", "5"],
  );
  assert.deepEqual(notes, ['QUEUE_LIMIT=8 does not hold in "b": there the experiment sets it itself.']);
});

test("What one policy makes idle is refused only where all do; else it is said which run without it", () => {
  const notes: string[] = [];
  const environment = { BUDGET_RATIO: "0.3", LAB_OVERRIDES: "BUDGET_RATIO" };
  const context = { ...contextWith(), ...userWords({ root, environment }), note: (text: string) => notes.push(text) };
  const bare: Wanted = { name: "bare", settings: { BUDGET: "none" } };
  const budgeted: Wanted = { name: "budgeted", settings: { BUDGET: "token-bucket" } };
  const ratios = planned(context, [bare, budgeted]).map(({ env }) => env["BUDGET_RATIO"]);
  assert.deepEqual(ratios, ["0.2", "0.3"]);
  assert.deepEqual(notes, ['BUDGET_RATIO=0.3 has no effect in "bare": these run without it.']);
  assert.throws(() => planned(context, [bare, { ...bare, name: "barer" }]), /BUDGET_RATIO=0\.3 has no effect with/);
});
