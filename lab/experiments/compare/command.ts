/** The verb `compare`. */
import { conclude } from "../../runs/conclude.ts";
import { experimentFolder } from "../../runs/context.ts";
import {
  experimentVerb,
  policiesArgument,
  repeatOf,
  repeatOption,
  worldOf,
  worldOption,
} from "../../runs/experiment-verb.ts";
import { compare } from "./experiment.ts";
import { comparisonCsv, comparisonText } from "./text.ts";

export const verbCompare = experimentVerb({
  name: "compare",
  summary: "naive, budgeted and owner side by side; with policies' names, medians and intervals over many seeds",
  group: "the story",
  page: "docs/compare-and-sweep.md",
  runsIn: "shell",
  argument: policiesArgument("naive", "budgeted", "owner"),
  options: [repeatOption("10"), worldOption()],
  run: async (context, options, policies) => {
    const request = { policies, repeat: repeatOf(options), world: worldOf(options, context) };
    const folder = experimentFolder(context, `comparison-${context.stamp}`);
    const comparison = await compare(context, request, folder);
    return conclude(context, {
      folder,
      files: { "comparison.json": comparison, "comparison.csv": comparisonCsv(comparison) },
      result: comparison,
      text: () => comparisonText(comparison),
      counted: comparison.policies,
    });
  },
});
