/** The verb `sweep`. */
import { Option } from "commander";
import { ConfigError } from "../../../services/settings/values.ts";
import { conclude, type ExperimentPage } from "../../runs/conclude.ts";
import type { ExperimentContext } from "../../runs/context.ts";
import {
  experimentVerb,
  listOf,
  repeatOf,
  repeatOption,
  worldOf,
  worldOption,
  type ExperimentOptions,
} from "../../runs/experiment-verb.ts";
import { sweep, type Sweep, type SweepRequest } from "./experiment.ts";
import { sweepMaps } from "./page.ts";
import { sweepCsv, sweepText } from "./text.ts";

interface Options extends ExperimentOptions {
  readonly policy?: string;
  readonly vary: string[];
}

/** The page with a map for each policy, where two settings of numbers are varied. */
function pageOf(
  context: ExperimentContext,
  { policies, vary, repeat, world }: SweepRequest,
  { axes, points }: Sweep,
): ExperimentPage | undefined {
  const maps = sweepMaps(context, axes, points);
  if (maps.length === 0) return undefined;
  const varied = vary.flatMap((text) => ["--vary", text]);
  return {
    title: `${policies.join(", ")} over ${axes.map(({ name }) => name).join(" and ")}`,
    lead: `${points.length} cells, ${repeat === 1 ? "one run" : `medians of ${repeat} runs`} each (${world}): the share of the requests that succeeded.`,
    words: ["sweep", "--policy", policies.join(","), ...varied, "--repeat", String(repeat), "--world", world],
    maps,
  };
}

/** --policy, or POLICY. @throws ConfigError for both, and for a list of nothing */
function policiesOf({ policy }: Options, { typed, valueOf }: ExperimentContext): string[] {
  const own = typed.includes("POLICY") ? valueOf("POLICY") : undefined;
  if (policy === undefined) return [own ?? "naive"];
  if (own !== undefined)
    throw new ConfigError([`POLICY=${own} and --policy ${policy}: name all of them with --policy.`]);
  const names = listOf(policy).filter((name) => name !== "");
  if (names.length === 0) throw new ConfigError([`--policy ${JSON.stringify(policy)}: there is no name in it.`]);
  return names;
}

export const verbSweep = experimentVerb<Options>({
  name: "sweep",
  summary: "every combination of what is varied, on all cores; goes on after a Ctrl-C",
  page: "docs/compare-and-sweep.md",
  make: false,
  options: [
    new Option("--policy <names>", "policies, with commas between (naive where none is named)"),
    new Option("--vary <name=from..to:step...>", "what to vary; may be given several times").makeOptionMandatory(),
    repeatOption("1"),
    worldOption(),
  ],
  run: async (context, options) => {
    const world = worldOf(options, context);
    const request = {
      policies: policiesOf(options, context),
      vary: options.vary,
      repeat: repeatOf(options),
      world,
    };
    const swept = await sweep(context, request);
    const { axes, points, folder, kept } = swept;
    const result = { schema: 1, world, axes, points };
    return conclude(context, {
      folder,
      files: { "sweep.json": result, "sweep.csv": sweepCsv(points, axes) },
      page: pageOf(context, request, swept),
      result,
      text: () => sweepText(points, axes),
      note: kept > 0 ? `(${kept} cells were there from before)` : "",
      counted: points,
    });
  },
});
