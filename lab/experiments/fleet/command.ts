/** `lab fleet`: each arm of fleet.ts once, as local processes one after the other, as a table. */
import { join } from "node:path";
import Table from "cli-table3";
import { ConfigError } from "../../../services/settings/values.ts";
import { experimentFolder, saveJson, settingsForEach, type ExperimentContext } from "../../runs/context.ts";
import {
  disturbStore,
  FLEET_ARMS,
  fleetResultOf,
  SCENE,
  type FleetArm,
  type FleetResult,
} from "./experiment.ts";
import type { RunEnv } from "../../runs/pool.ts";
import { readSamplesIn, runInProcessWorld } from "../../runs/process-runs.ts";
import { duration, percent } from "../../../loadgen/core/format.ts";

/** A word of the user's beats the scene's; not what tells the arms apart. */
function overridesOf({ settings }: FleetArm, typed: readonly string[]): RunEnv {
  const scene = Object.entries(SCENE).filter(([name]) => !typed.includes(name));
  return { ...Object.fromEntries(scene), WORLD: "process", ...settings };
}

function checkTyped(typed: readonly string[]): void {
  const fixed = new Set(FLEET_ARMS.flatMap(({ settings }) => Object.keys(settings)));
  for (const name of ["WORLD", "BUDGET_STORE_URL"]) fixed.add(name);
  const wrong = typed.filter((name) => fixed.has(name));
  if (wrong.length === 0) return;
  throw new ConfigError([`${wrong.join(", ")}: this experiment sets that itself. Leave it out.`]);
}

async function runArm(
  { ambient, interrupt, say }: ExperimentContext,
  arm: FleetArm,
  env: RunEnv,
  folder: string,
): Promise<FleetResult> {
  const over = new AbortController();
  const requests = (Number(env["RATE"]) * Number(env["DURATION_S"])) / 2;
  const { signal } = arm;
  const onChain: Parameters<typeof runInProcessWorld>[2]["onChain"] = (chain) => {
    if (signal !== undefined) void disturbStore(chain, signal, requests, over.signal);
  };
  try {
    const { summary } = await runInProcessWorld(env, folder, { ambient, say, ...interrupt, onChain });
    return fleetResultOf(arm.name, summary, readSamplesIn(folder));
  } finally {
    over.abort();
  }
}

/** The text, without a line end. */
export function fleetText(results: readonly FleetResult[]): string {
  const head = ["four apis with", "retries", "at most", "first half", "second half", "succeeded", "p99", ""];
  const table = new Table({ head, style: { head: [], border: [], compact: true } });
  for (const { arm, retries, bound, halves, successRate, p99Ms, valid } of results) {
    const numbers = [retries, bound, ...halves, percent(successRate), duration(p99Ms)];
    table.push([arm, ...numbers.map(String), valid ? "valid" : "INVALID"]);
  }
  const reasons = results.flatMap(({ arm, invalidReasons }) => invalidReasons.map((why) => `${arm}: ${why}`));
  return [table.toString(), ...reasons].join("\n");
}

/** 0 where every run is valid and within its bound, else 1. */
export async function fleetCommand(context: ExperimentContext, { json }: { json: boolean }): Promise<number> {
  const typed = context.typed ?? [];
  checkTyped(typed);
  const envs = settingsForEach(
    context,
    FLEET_ARMS.map((arm) => overridesOf(arm, typed)),
  );
  const folder = experimentFolder(context, `fleet-${context.stamp}`);
  const results: FleetResult[] = [];
  for (const [n, arm] of FLEET_ARMS.entries()) {
    context.say(`${n + 1} of ${FLEET_ARMS.length}: ${arm.name}`);
    results.push(await runArm(context, arm, envs[n] ?? {}, join(folder, String(n + 1))));
  }
  const file = saveJson(folder, "fleet.json", { schema: 1, scene: SCENE, results });
  context.print(json ? JSON.stringify(results, null, 2) : `${fleetText(results)}\nSaved: ${file}`);
  return results.every(({ valid, retries, bound }) => valid && retries <= bound) ? 0 : 1;
}
