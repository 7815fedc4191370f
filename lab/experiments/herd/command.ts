/** The verb `herd`. */
import { conclude } from "../../runs/conclude.ts";
import { experimentFolder } from "../../runs/context.ts";
import { experimentVerb, repeatOf, repeatOption } from "../../runs/experiment-verb.ts";
import { seedsFrom } from "../../runs/run-arms.ts";
import { HERD, herdResults } from "./experiment.ts";
import { herdText } from "./text.ts";

export const verbHerd = experimentVerb({
  name: "herd",
  summary: "many clients cut off at one moment: what jitter is for",
  page: "docs/herd.md",
  options: [repeatOption("10")],
  run: async (context, options) => {
    const results = herdResults(seedsFrom(context, repeatOf(options)));
    return conclude(context, {
      folder: experimentFolder(context, `herd-${context.stamp}`),
      files: { "herd.json": { schema: 1, scenario: HERD, results } },
      result: results,
      text: () => herdText(results),
      isSound: true,
    });
  },
});
