/**
 * `npm test`: every test file of the tree, compiled once.
 *
 *     npm test                            all of them
 *     npm test -- policy hop              those whose path contains "policy" or "hop"
 *     npm test -- --quick                 those of pure code, and all that start no program and take no seconds
 *     npm test -- --test-name-pattern=x   other words that begin with "-" go to Node's runner
 *
 * Node 20 is given an explicit list, because it takes a quoted glob for a file name. An empty list is an error (exit 2).
 * Tests of pure code share a few processes; each other file has its own. Several run at a time: no test may depend on a
 * quiet machine.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { compiledPath, compileTree, writeGroup } from "./compiled-tree.ts";
import { filesUnder } from "./files.ts";

/** Pure code, by folder: the lint sees to it that its tests know neither process nor clock, so that they can share a process. */
const PURE =
  /^(services\/(policy|virtual-time|contract)|services\/\w+\/core|loadgen\/core|lab\/worlds\/virtual\/core)\//;

/** Starts programs, waits for real time, or makes runs that take seconds. */
const SLOW =
  /^(bench|grafana|lab\/(browser|cli|end-to-end|experiments|observe|toolchain|worlds)|loadgen\/(run|send))\/|^services\/(http\/service|telemetry\/tracing)\.test/;

/** One more than there are cores: there is always a test that waits for a run over HTTP. */
const AT_A_TIME = availableParallelism() + 1;

const root = process.cwd();
const args = process.argv.slice(2);
const words = args.filter((word) => !word.startsWith("-"));
const flags = args.filter((word) => word.startsWith("-") && word !== "--quick");
const quick = args.includes("--quick");

const files = filesUnder(root)
  .filter((path) => path.endsWith(".test.ts"))
  .filter((path) => !quick || PURE.test(path) || !SLOW.test(path))
  .filter((path) => words.length === 0 || words.some((word) => path.includes(word)));

if (files.length === 0) {
  const where = words.length === 0 ? `under ${root}` : `with ${words.join(" or ")} in its path`;
  console.error(`npm test: no *.test.ts ${where}: nothing was tested.`);
  process.exit(2);
}

/** The files that Node's runner is given: one for each process. */
function filesOfProcesses(tree: string): string[] {
  const pure = files.filter((path) => PURE.test(path));
  const groups = Array.from({ length: Math.min(availableParallelism(), pure.length) }, (_, n) =>
    pure.filter((__, i) => i % availableParallelism() === n),
  );
  return [
    ...groups.map((group, n) => writeGroup(tree, `pure-${n + 1}`, group)),
    ...files.filter((path) => !PURE.test(path)).map((path) => compiledPath(tree, path)),
  ];
}

const { tree, code, remove } = await compileTree(root);
process.on("exit", remove);
if (code !== 0) {
  console.error("npm test: the tree does not compile: nothing was tested.");
  process.exit(1);
}

// Beside this file where it runs compiled itself; otherwise it was compiled a moment ago.
const beside = join(import.meta.dirname, "reporter.js");
const reporter = existsSync(beside) ? beside : compiledPath(tree, "lab/toolchain/reporter.ts");
const runner = spawn(
  process.execPath,
  [
    "--enable-source-maps",
    "--test",
    `--test-concurrency=${AT_A_TIME}`,
    `--test-reporter=${reporter}`,
    ...flags,
    ...filesOfProcesses(tree),
  ],
  { stdio: "inherit" },
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => runner.kill(signal));
runner.on("exit", (status) => {
  process.exitCode = status ?? 1;
});
