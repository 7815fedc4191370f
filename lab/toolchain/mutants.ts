/**
 * `npm run mutants`: builds one fault after the other of testdata/mutants.ts into a compiled copy of the project, and runs the tests
 * that should notice. Prints what each came to; exit 1 where fewer than 95 % were noticed. `npm run mutants -- WORD` takes only
 * the files whose path contains WORD.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { percent } from "../../loadgen/core/format.ts";
import { compiledPath, compileTree, writeGroup } from "./compiled-tree.ts";
import { filesUnder } from "./files.ts";
import { MUTATED_FILES, type Change, type MutatedFile } from "./testdata/mutants.ts";

const LEAST_KILLED = 0.95;
/** A fault may also make a test wait without end. */
const GIVE_UP_AFTER_MS = 120_000;

interface Mutant {
  readonly file: string;
  readonly change: Change;
  readonly tests: readonly string[];
}

const root = process.cwd();
const words = process.argv.slice(2);
const allTests = filesUnder(root).filter((path) => path.endsWith(".test.ts"));

/** The room of services/policy/budget/bucket.ts is services/policy; that of services/hop/core/retry-loop.ts its own folder. */
const roomOf = (file: string): string =>
  file.startsWith("services/policy/") ? "services/policy/" : `${dirname(file)}/`;

function testsFor({ file, tests = [roomOf(file)] }: MutatedFile): readonly string[] {
  const found = allTests.filter((path) => tests.some((word) => path.startsWith(word)));
  if (found.length === 0) throw new Error(`no test is at ${tests.join(" or ")}`);
  return found;
}

const running = new Set<ChildProcess>();

/** True where all of them pass. */
function pass(tree: string, tests: readonly string[]): Promise<boolean> {
  const group = writeGroup(tree, "mutant", tests);
  const child = spawn(process.execPath, [group], { stdio: "ignore", timeout: GIVE_UP_AFTER_MS });
  running.add(child);
  return new Promise((resolve) =>
    child.on("close", (code) => {
      running.delete(child);
      resolve(code === 0);
    }),
  );
}

/** True where a test notices. */
async function isKilled(tree: string, { file, change: [text, instead], tests }: Mutant): Promise<boolean> {
  const path = compiledPath(tree, file);
  const original = readFileSync(path, "utf8");
  const parts = original.split(text);
  if (parts.length !== 2) throw new Error(`${file}: not exactly once in it: ${text}`);
  writeFileSync(path, parts.join(instead));
  const passed = await pass(tree, tests);
  writeFileSync(path, original);
  return !passed;
}

const mutants: readonly Mutant[] = MUTATED_FILES.filter(
  ({ file }) => words.length === 0 || words.some((word) => file.includes(word)),
).flatMap((mutated) => mutated.changes.map((change) => ({ file: mutated.file, change, tests: testsFor(mutated) })));

const { tree, code, remove } = await compileTree(root);
const trees = [tree, ...Array.from({ length: availableParallelism() - 1 }, (_, n) => `${tree}.${n + 1}`)];
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
  remove();
  for (const copy of trees) rmSync(copy, { recursive: true, force: true });
});
if (code !== 0) process.exit(1);
for (const copy of trees.slice(1)) cpSync(tree, copy, { recursive: true, verbatimSymlinks: true });

if (mutants.length === 0) {
  console.error(`npm run mutants: no fault is in a file whose path has ${process.argv.slice(2).join(" or ")}.`);
  process.exit(2);
}

for (const tests of new Map(mutants.map(({ tests: own }) => [own.join(), own])).values()) {
  if (await pass(tree, tests)) continue;
  console.error(`These tests fail without any fault built in: ${tests.join(" ")}`);
  process.exit(1);
}

const waiting = mutants.values();
const survivors: Mutant[] = [];
await Promise.all(
  trees.map(async (own) => {
    for (const mutant of waiting) {
      const killed = await isKilled(own, mutant);
      if (!killed) survivors.push(mutant);
      console.log(`${killed ? "killed  " : "SURVIVED"}  ${mutant.file}: ${mutant.change[2]}`);
    }
  }),
);

const share = 1 - survivors.length / mutants.length;
console.log(`\n${mutants.length - survivors.length} of ${mutants.length} faults were noticed (${percent(share)}).`);
for (const { file, change } of survivors) console.log(`SURVIVED  ${file}: ${change[0]}  →  ${change[1]}`);
process.exitCode = share < LEAST_KILLED ? 1 : 0;
