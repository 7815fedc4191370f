/** The verb `fan-out`. */
import { conclude } from "../../runs/conclude.ts";
import { experimentFolder } from "../../runs/context.ts";
import { experimentVerb, repeatOf, repeatOption } from "../../runs/experiment-verb.ts";
import { seedsFrom } from "../../runs/run-arms.ts";
import { fanOutResults } from "./scenes.ts";
import { fanOutText } from "./text.ts";

export const verbFanOut = experimentVerb({
  name: "fan-out",
  summary: "reads of many leaves: rare slowness becomes the rule, and when a second copy helps",
  page: "docs/fan-out.md",
  takes: ["SEED", "REPORTS_DIR"],
  takesWhy: "its reads are a model of their own, whose terms are in docs/fan-out.md; it takes SEED and REPORTS_DIR.",
  options: [repeatOption("3")],
  run: async (context, options) => {
    const seeds = seedsFrom(context, repeatOf(options));
    const arms = fanOutResults(seeds);
    return conclude(context, {
      folder: experimentFolder(context, `fan-out-${context.stamp}`),
      files: { "fan-out.json": { schema: 1, seeds, arms } },
      result: arms,
      text: () => fanOutText(seeds, arms),
      isSound: true,
    });
  },
});
