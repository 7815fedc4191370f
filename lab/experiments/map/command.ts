/** The verb `map`. */
import { Option } from "commander";
import { conclude } from "../../runs/conclude.ts";
import { experimentFolder } from "../../runs/context.ts";
import {
  experimentVerb,
  policiesArgument,
  repeatOf,
  repeatOption,
  type ExperimentOptions,
} from "../../runs/experiment-verb.ts";
import { seedsFrom } from "../../runs/run-arms.ts";
import { dipAxesOf } from "./axes.ts";
import { DIP_TO, dips, PATIENCE_S } from "./experiment.ts";
import { dipMaps } from "./page.ts";
import { eachPolicy, shortestDips } from "./shortest.ts";
import { mapCsv, mapText, shortestText } from "./text.ts";

interface Options extends ExperimentOptions {
  readonly load: string;
  readonly length: string;
}

export const verbMap = experimentVerb<Options>({
  name: "map",
  summary: "over load and length of a capacity dip: who is still down afterwards",
  page: "docs/frontier-and-maps.md",
  argument: policiesArgument("naive", "budgeted", "owner"),
  options: [
    new Option("--load <from..to:step>", "requests per second").default("5,10,15,20,30,40,50,60,70,80"),
    new Option("--length <from..to:step>", "seconds that the dip lasts").default("0.1,0.2,0.3,0.5,0.7,1,2,5"),
    repeatOption("1"),
  ],
  instead: { RATE: "Use --load.", DURATION_S: "Use --length for the length of the dip." },
  run: async (context, options, policies) => {
    const { load, length } = options;
    const repeat = repeatOf(options);
    const axes = dipAxesOf({ load, length }, policies.length * repeat);
    const seeds = seedsFrom(context, repeat);
    const cells = await dips(context, { policies: [...new Set(policies)], ...axes, seeds });
    const maps = dipMaps(context, cells);
    const shortest = eachPolicy(context, cells, (policy, env, own) => ({ policy, dips: shortestDips(env, own) }));
    const findings = maps.map(({ title, finding }) => `${title}: ${finding}`).join("\n");
    return conclude(context, {
      folder: experimentFolder(context, `map-${context.stamp}`),
      files: {
        "map.json": { schema: 1, dipTo: DIP_TO, patienceS: PATIENCE_S, seeds, cells, shortest },
        "map.csv": mapCsv(cells),
        "maps.json": maps,
      },
      page: {
        title: "How long a dip is fatal",
        lead: `The capacity falls to ${DIP_TO} calls per second for a while and comes back; the load stays. Who is still down ${PATIENCE_S} s later?`,
        words: ["map", ...policies, "--load", load, "--length", length, "--repeat", String(repeat)],
        maps,
      },
      result: { cells, maps },
      text: () => `${mapText(cells)}\n\n${shortestText(shortest)}\n\n${findings}`,
      counted: cells,
    });
  },
});
