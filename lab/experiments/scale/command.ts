/** The verb `scale`. */
import { conclude } from "../../runs/conclude.ts";
import { experimentFolder } from "../../runs/context.ts";
import { experimentVerb, repeatOf, repeatOption } from "../../runs/experiment-verb.ts";
import { seedsFrom } from "../../runs/run-arms.ts";
import { FLEET, SCALE, SCALE_CASES } from "./cases.ts";
import { scaleUp } from "./experiment.ts";
import { scaleCsv, scaleText } from "./text.ts";

export const verbScale = experimentVerb({
  name: "scale",
  summary: "10,000 clients, 100 instances: retry budgets of their own against one for all of them",
  page: "docs/scale.md",
  options: [repeatOption("5")],
  takes: ["SEED", "REPORTS_DIR"],
  takesWhy:
    "the fleet of scale is a model of its own, whose terms are in docs/scale.md; it takes SEED and REPORTS_DIR.",
  run: async (context, options) => {
    const seeds = seedsFrom(context, repeatOf(options));
    const results = await scaleUp(context, seeds);
    const scenario = { ...FLEET, ...SCALE, cases: SCALE_CASES };
    return conclude(context, {
      folder: experimentFolder(context, `scale-${context.stamp}`),
      files: { "scale.json": { schema: 1, seeds, scenario, results }, "scale.csv": scaleCsv(results) },
      result: results,
      text: () => scaleText(results),
      isSound: true,
    });
  },
});
