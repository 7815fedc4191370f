/** The verb `fleet`. */
import { conclude } from "../../runs/conclude.ts";
import { experimentFolder } from "../../runs/context.ts";
import { experimentVerb } from "../../runs/experiment-verb.ts";
import { valueIn } from "../../runs/planned.ts";
import { SCENE } from "./arms.ts";
import { fleet, planFleet } from "./experiment.ts";
import { fleetText } from "./text.ts";

export const verbFleet = experimentVerb({
  name: "fleet",
  summary: "four apis with a retry budget each, or one for all in Redis; its store killed, and frozen",
  page: "docs/fleet-budget.md",
  world: "process",
  instead: { BUDGET_STORE_URL: "Leave it out: the experiment disturbs a store of its own." },
  run: async (context) => {
    const plan = planFleet(context);
    const folder = experimentFolder(context, `fleet-${context.stamp}`);
    const apis = Number(valueIn(context, SCENE, "API_INSTANCES"));
    const results = await fleet(context, plan, folder);
    return conclude(context, {
      folder,
      files: { "fleet.json": { schema: 1, scene: SCENE, results } },
      result: results,
      text: () => fleetText(results, apis),
      counted: results.map(({ arm, valid }) => ({ name: arm, runs: 1, validRuns: Number(valid) })),
      isSound: results.every(({ retries, bound }) => retries <= bound),
    });
  },
});
