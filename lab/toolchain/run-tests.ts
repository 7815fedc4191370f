/**
 * `npm test`: every test file of the tree, by name.
 *
 *     npm test                            all of them
 *     npm test -- policy hop              those whose path contains "policy" or "hop"
 *     npm test -- --test-name-pattern=x   words that begin with "-" go to Node's runner
 *
 * Node 20 is given an explicit list, because it takes a quoted glob for a file name, and runs nothing in a folder of
 * .ts files and calls that a success. Here an empty list is an error (exit 2).
 *
 * Node's own default runs (cores - 1) files at a time: on two cores that is one, which leaves tests that measure time
 * alone on the machine.
 */
import { spawn } from "node:child_process";
import { filesUnder } from "./files.ts";

const words = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const flags = process.argv.slice(2).filter((word) => word.startsWith("-"));

const files = filesUnder(process.cwd())
  .filter((path) => path.endsWith(".test.ts"))
  .filter((path) => words.length === 0 || words.some((word) => path.includes(word)));

if (files.length === 0) {
  const where = words.length === 0 ? `under ${process.cwd()}` : `with ${words.join(" or ")} in its path`;
  console.error(`npm test: no *.test.ts ${where}: nothing was tested.`);
  process.exit(2);
}

const tsx = import.meta.resolve("tsx");
// The spec reporter everywhere: without a terminal Node 20 would print TAP, a page of it for each file.
const runner = spawn(
  process.execPath,
  ["--import", tsx, "--test", "--test-reporter=spec", ...flags, ...files],
  {
    stdio: "inherit",
  },
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => runner.kill(signal));
runner.on("exit", (code) => {
  process.exitCode = code ?? 1;
});
