import assert from "node:assert/strict";
import { test } from "node:test";
import { Command } from "commander";
import { ConfigError } from "../../services/settings/values.ts";
import { chosenWorld, performed, policiesArgument } from "./experiment-verb.ts";
import { contextWith } from "./testdata/context.ts";

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

test("A world is taken from the environment, too, where experiments run in it", () => {
  const exported = (world: string) => ({ ...contextWith(), exported: ["WORLD"], valueOf: () => world });
  assert.equal(chosenWorld({}, exported("virtual")), "virtual");
  assert.equal(chosenWorld({}, exported("compose")), undefined);
  assert.equal(chosenWorld({}, contextWith()), undefined);
});
