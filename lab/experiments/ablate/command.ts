/** `lab ablate`: runs, prints and saves. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ablate } from "./experiment.ts";
import { ablationMarkdown, ablationText } from "./text.ts";
import { reportedAblations } from "./page.ts";
import { savePage } from "../../runs/experiment-page.ts";
import { experimentFolder, saveJson, type ExperimentContext } from "../../runs/context.ts";

export interface AblateCommand {
  /** Seeds for each arm, 1 or more. */
  readonly repeat: number;
  readonly json: boolean;
}

/** The exit code: 1 where a run was not valid. */
export async function ablateCommand(
  context: ExperimentContext,
  { repeat, json }: AblateCommand,
): Promise<number> {
  const folder = experimentFolder(context, `ablation-${context.stamp}`);
  const ablation = await ablate(context, repeat);
  saveJson(folder, "ablation.json", ablation);
  writeFileSync(join(folder, "ablation.md"), `${ablationMarkdown(ablation)}\n`);
  const page = await savePage(context, folder, {
    title: "Which defence does what",
    lead: "Naive with each defence alone, budgeted without each of its parts, in virtual time: every row meets the same luck.",
    words: ["ablate", "--repeat", String(repeat)],
    ablations: reportedAblations(ablation),
  });
  context.print(
    json
      ? JSON.stringify(ablation, null, 2)
      : `${ablationText(ablation)}\nSaved in ${folder}\nThe page: ${page}`,
  );
  const arms = ablation.groups.flatMap(({ arms: all }) => all);
  return arms.every(({ runs, validRuns }) => runs === validRuns) ? 0 : 1;
}
