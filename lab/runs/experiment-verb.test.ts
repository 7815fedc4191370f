import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Command } from "commander";
import { ConfigError } from "../../services/settings/values.ts";
import { chosenWorld, performed, policiesArgument } from "./experiment-verb.ts";
import { userWords } from "../../services/settings/user-words.ts";
import { contextWith } from "./testdata/context.ts";

const root = mkdtempSync(join(tmpdir(), "verb-"));
after(() => rmSync(root, { recursive: true }));

async function wordsFor(typed: Readonly<Record<string, string>>, words: readonly string[]): Promise<readonly string[]> {
  let taken: readonly string[] = [];
  const row = {
    name: "one",
    summary: "",
    argument: policiesArgument("naive", "owner"),
    run: (_context: unknown, _options: unknown, names: readonly string[]) => Promise.resolve((taken = names).length),
  };
  const command = new Command("one").addArgument(row.argument);
  command.action(async () => {
    await performed(row, command, contextWith(typed));
  });
  await command.parseAsync([...words], { from: "user" });
  return taken;
}

test("POLICY names the one policy of an experiment that takes several, and does not go with others behind the verb", async () => {
  assert.deepEqual(await wordsFor({}, []), ["naive", "owner"]);
  assert.deepEqual(await wordsFor({ POLICY: "budgeted" }, []), ["budgeted"]);
  await assert.rejects(wordsFor({ POLICY: "budgeted" }, ["naive"]), /POLICY=budgeted does not go with naive/);
});

test("A world that an experiment does not run in is refused, and so are two at once", async () => {
  await assert.rejects(wordsFor({ WORLD: "process" }, []), /WORLD=process: this experiment runs in virtual time/);
  assert.throws(() => chosenWorld({}, contextWith({ WORLD: "compose" })), ConfigError);
  assert.throws(() => chosenWorld({ world: "process" }, contextWith({ WORLD: "virtual" })), /say it once/);
});

test("What is exported and not taken is said and not refused, and the world that it runs in may be typed", async () => {
  const notes: string[] = [];
  const row = { name: "one", summary: "", takes: ["SEED"], takesWhy: "It is a model.", run: () => Promise.resolve(0) };
  const contextOf = (typed: Readonly<Record<string, string>>, shell: Readonly<Record<string, string>>) => ({
    ...contextWith(typed),
    ...userWords({ root, environment: { ...shell, ...typed, LAB_OVERRIDES: Object.keys(typed).join(" ") } }),
    note: (text: string) => notes.push(text),
  });
  assert.equal(await performed(row, new Command(), contextOf({ WORLD: "virtual" }, { RATE: "7", SEED: "3" })), 0);
  assert.deepEqual(notes, ["RATE=7 in the environment: no effect here. It is a model."]);
  await assert.rejects(
    async () => performed(row, new Command(), contextOf({ WORLD: "process" }, {})),
    /runs in virtual time/,
  );
});

test("A world is taken from the environment, too, where experiments run in it", () => {
  const exported = (world: string) => ({ ...contextWith(), exported: ["WORLD"], valueOf: () => world });
  assert.equal(chosenWorld({}, exported("virtual")), "virtual");
  assert.equal(chosenWorld({}, exported("compose")), undefined);
  assert.equal(chosenWorld({}, contextWith()), undefined);
});
