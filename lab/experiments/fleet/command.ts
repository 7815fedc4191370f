/** The verb `fleet`. */
import { conclude } from "../../runs/conclude.ts";
import { experimentFolder } from "../../runs/context.ts";
import { experimentVerb } from "../../runs/experiment-verb.ts";
import { SCENE } from "./arms.ts";
import { fleet, planFleet } from "./experiment.ts";
import { fleetText } from "./text.ts";

export const verbFleet = experimentVerb({
  name: "fleet",
  summary: "four apis with a retry budget each, or one for all in Redis; its store killed, and frozen",
  page: "docs/fleet-budget.md",
  run: async (context) => {
    const plan = planFleet(context);
    const folder = experimentFolder(context, `fleet-${context.stamp}`);
    const results = await fleet(context, plan, folder);
    return conclude(context, {
      folder,
      files: { "fleet.json": { schema: 1, scene: SCENE, results } },
      result: results,
      text: () => fleetText(results),
      counted: results.map(({ arm, valid }) => ({ name: arm, runs: 1, validRuns: Number(valid) })),
      isSound: results.every(({ retries, bound }) => retries <= bound),
    });
  },
});
