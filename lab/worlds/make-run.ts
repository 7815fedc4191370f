/** One run, in the world that the settings name. */
import { reportsProblem } from "./reports-folder.ts";
import { runInProcesses } from "./process/world.ts";
import { runInVirtualTime } from "./virtual/world.ts";
import type { RunInWorld, WorldRun } from "./world.ts";

/** `auto` is decided by bin/lab, which looks for an engine; without it there is none to look for. */
const WORLDS: Readonly<Record<string, RunInWorld>> = {
  auto: runInProcesses,
  process: runInProcesses,
  virtual: runInVirtualTime,
};

/** Resolves with the exit code: 0 valid, 1 failed, invalid or stopped, 2 bad input. */
export async function makeRun(run: WorldRun): Promise<number> {
  const name = run.env["WORLD"] ?? "auto";
  const world = WORLDS[name];
  if (world === undefined) {
    run.say(`WORLD=${name} is not made by this program: use process or virtual here, or bin/lab (make) for compose.`);
    return 2;
  }
  const problem = reportsProblem(run.env["REPORTS_DIR"] ?? "reports");
  if (problem !== undefined) {
    run.say(problem);
    return 2;
  }
  return world({ ...run, env: { ...run.env, WORLD: name === "auto" ? "process" : name } });
}
