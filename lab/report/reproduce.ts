/** The command that makes the same run again, whatever the policy's file says by then. */
import type { RunSummary } from "../../loadgen/run-summary.ts";

/** Where a run takes place and is written says nothing about what it was. */
const PLACE = new Set(["REPORTS_DIR", "CHAIN", "HOST", "PORT", "UPSTREAM_URL", "LOG_LEVEL"]);
const FIRST = ["POLICY", "SCENARIO", "WORLD", "SEED"];

/** For make and a POSIX shell at once: quoted where anything but plain characters occurs; make reads `$` as its own. */
function quoted(text: string): string {
  const forMake = text.replaceAll("$", "$$$$");
  return /^[\w./:=,@%+-]*$/u.test(forMake) ? forMake : `'${forMake.replaceAll("'", `'\\''`)}'`;
}

/**
 * `make run POLICY=… SEED=… …` with every knob that is not at its default.
 * @param defaults the knobs' defaults; a knob that is not among them is always named
 */
export function reproduceCommand(
  summary: RunSummary,
  environment: readonly (readonly [string, string])[],
  defaults: Readonly<Record<string, string>> = {},
): string {
  const { policy, scenario, world, seed } = summary;
  const settled: Record<string, string> = {
    POLICY: policy,
    SCENARIO: scenario,
    WORLD: world,
    SEED: `${seed}`,
  };
  const rest = environment.filter(
    ([name, text]) => !PLACE.has(name) && !FIRST.includes(name) && text !== "" && defaults[name] !== text,
  );
  const all = [...FIRST.map((name) => [name, settled[name] ?? ""] as const), ...rest];
  return `make run ${all.map(([name, text]) => `${name}=${quoted(text)}`).join(" ")}`;
}
