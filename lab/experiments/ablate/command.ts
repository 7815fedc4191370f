/** The verb `ablate`. */
import { conclude } from "../../runs/conclude.ts";
import { experimentFolder } from "../../runs/context.ts";
import { experimentVerb, repeatOf, repeatOption } from "../../runs/experiment-verb.ts";
import { ARM_GROUPS } from "./arms.ts";
import { ablate } from "./experiment.ts";
import { groupOf } from "./own-policy.ts";
import { reportedAblations } from "./page.ts";
import { ablationMarkdown, ablationText } from "./text.ts";

export const verbAblate = experimentVerb({
  name: "ablate",
  summary: "each defence added to naive, each part taken from budgeted; POLICY=mine: both",
  page: "docs/ablation.md",
  options: [repeatOption("10")],
  run: async (context, options) => {
    const repeat = repeatOf(options);
    const folder = experimentFolder(context, `ablation-${context.stamp}`);
    const isOwn = context.typed.includes("POLICY");
    const groups = isOwn ? [groupOf(context, context.valueOf("POLICY"))] : ARM_GROUPS;
    const ablation = await ablate(context, repeat, groups);
    return conclude(context, {
      folder,
      files: { "ablation.json": ablation, "ablation.md": `${ablationMarkdown(ablation)}\n` },
      page: {
        title: "Which defence does what",
        lead: `${isOwn ? "The policy without each of its parts, and with each defence that it lacks" : "Naive with each defence alone, budgeted without each of its parts"}, in virtual time: every row meets the same random numbers.`,
        words: ["ablate", "--repeat", String(repeat)],
        ablations: reportedAblations(ablation),
      },
      result: ablation,
      text: () => ablationText(ablation),
      counted: ablation.groups.flatMap(({ arms }) => arms),
    });
  },
});
