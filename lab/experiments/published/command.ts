/** The verb `published`. */
import { conclude } from "../../runs/conclude.ts";
import { experimentFolder } from "../../runs/context.ts";
import { experimentVerb, repeatOf, repeatOption, worldOf, worldOption } from "../../runs/experiment-verb.ts";
import { published } from "./experiment.ts";
import { publishedText } from "./text.ts";

export const verbPublished = experimentVerb({
  name: "published",
  summary: "the published lab's figures on its own model, and what each fault of its wiring cost",
  page: "docs/published.md",
  options: [repeatOption("20"), worldOption()],
  run: async (context, options) => {
    const [repeat, world] = [repeatOf(options), worldOf(options, context)];
    const folder = experimentFolder(context, `published-${context.stamp}`);
    const comparison = await published(context, repeat, world, folder);
    return conclude(context, {
      folder,
      files: { "published.json": comparison },
      result: comparison,
      text: () => publishedText(comparison),
      counted: comparison.policies,
    });
  },
});
