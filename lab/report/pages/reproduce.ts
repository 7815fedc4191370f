/**
 * The command that makes the same run again from nothing but itself, whatever the policy's file says by then: every
 * knob with its value. They are given through the environment rather than behind `make`, because there a setting
 * without effect, which a policy may well have, would be taken for a slip.
 */
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { knobNamed } from "../../../services/settings/knobs/knobs.ts";

/** Where a run is written says nothing about what it was. */
const PLACE = new Set(["REPORTS_DIR"]);
const FIRST = ["POLICY", "SCENARIO", "WORLD", "SEED"];

/** For a POSIX shell: quoted where anything but plain characters occurs. */
export function quoted(text: string): string {
  return /^[\w./:=,@%+-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** `env POLICY=… SEED=… … bin/lab run`, for a shell in the project's folder. */
export function reproduceCommand(summary: RunSummary, environment: readonly (readonly [string, string])[]): string {
  const { policy, scenario, world, seed } = summary;
  const settled = [policy, scenario, world, `${seed}`];
  const rest = environment.filter(
    ([name]) => !PLACE.has(name) && !FIRST.includes(name) && knobNamed(name)?.notAmbient !== true,
  );
  const all = [...FIRST.map((name, i) => [name, settled[i] ?? ""] as const), ...rest];
  return `env ${all.map(([name, text]) => `${name}=${quoted(text)}`).join(" ")} bin/lab run`;
}
