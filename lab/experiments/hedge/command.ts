/** The verb `hedge`. */
import { conclude } from "../../runs/conclude.ts";
import { experimentFolder } from "../../runs/context.ts";
import { experimentVerb, repeatOf, repeatOption } from "../../runs/experiment-verb.ts";
import { seedsFrom } from "../../runs/run-arms.ts";
import { hedge } from "./experiment.ts";
import { hedgeText } from "./text.ts";

export const verbHedge = experimentVerb({
  name: "hedge",
  summary: "second copies of slow reads: what they cut, cost and cannot help",
  page: "docs/hedging.md",
  options: [repeatOption("5")],
  run: async (context, options) => {
    const result = await hedge(context, seedsFrom(context, repeatOf(options)));
    return conclude(context, {
      folder: experimentFolder(context, `hedge-${context.stamp}`),
      files: { "hedge.json": result },
      result,
      text: () => hedgeText(result),
      counted: result.arms.map((arm) => ({ ...arm, runs: result.seeds.length })),
    });
  },
});
