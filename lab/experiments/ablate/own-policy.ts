/** The arms for a policy of the user's own: whatever leaves out one of its parts, or adds one that it lacks. */
import { hopName } from "../../../services/settings/knobs/knob.ts";
import { tierList } from "../../../services/settings/tiers.ts";
import { ConfigError } from "../../../services/settings/values.ts";
import type { ExperimentContext } from "../../runs/context.ts";
import type { RunEnv } from "../../runs/pool.ts";
import type { Arm } from "../../runs/run-arms.ts";
import { armsForAny, type ArmGroup } from "./arms.ts";

/** Where the policy sets something for one hop, the arm sets it there, too: else the hop would keep it. */
function reaching(settings: RunEnv, own: RunEnv): RunEnv {
  const hops = tierList(own["TIERS"] ?? "");
  const more = Object.entries(settings).flatMap(([name, value]) =>
    hops
      .map((hop) => hopName(hop, name))
      .filter((one) => own[one] !== undefined && settings[one] === undefined)
      .map((one) => [one, value] as const),
  );
  return { ...settings, ...Object.fromEntries(more) };
}

/** The arm's effective settings; undefined where they contradict the policy's. */
function settingsOf({ settingsFor }: ExperimentContext, settings: RunEnv): RunEnv | undefined {
  try {
    return settingsFor(settings);
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

/** @throws ConfigError with the faults of the policy, and of what was typed */
export function groupOf(context: ExperimentContext, policy: string): ArmGroup {
  const own = context.settingsFor({ POLICY: policy });
  const before = JSON.stringify(own);
  const arms = armsForAny(policy).flatMap((arm): Arm[] => {
    if (arm.name === policy) return [arm];
    const settings = reaching(arm.settings, own);
    const env = settingsOf(context, { ...settings, POLICY: policy });
    if (env === undefined) context.note(`"${arm.name}" is left out: it does not go with the settings of ${policy}.`);
    return env === undefined || JSON.stringify(env) === before ? [] : [{ name: arm.name, settings }];
  });
  return { policy, arms };
}
