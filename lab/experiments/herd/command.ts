/** The verb `herd`. */
import { conclude } from "../../runs/conclude.ts";
import { experimentFolder } from "../../runs/context.ts";
import { experimentVerb, repeatOf, repeatOption } from "../../runs/experiment-verb.ts";
import { seedsFrom } from "../../runs/run-arms.ts";
import { Stopped } from "../../runs/stopped.ts";
import { herdResults } from "./experiment.ts";
import { HERD_TAKES, herdsOf } from "./scene.ts";
import { herdText } from "./text.ts";

export const verbHerd = experimentVerb({
  name: "herd",
  summary: "many clients cut off at one moment: what jitter is for",
  page: "docs/herd.md",
  options: [repeatOption("10")],
  takes: HERD_TAKES,
  takesWhy: "a herd has no such thing: its clients ask once, all at one moment, each by a hop of its own (api).",
  run: async (context, options) => {
    const herds = herdsOf(context, seedsFrom(context, repeatOf(options)));
    const [herd] = herds;
    if (herd === undefined || context.interrupt.stop.aborted) throw new Stopped();
    const results = herdResults(herds);
    const { clients, outageMs } = herd;
    return conclude(context, {
      folder: experimentFolder(context, `herd-${context.stamp}`),
      files: { "herd.json": { schema: 1, scenario: { clients, outageMs }, results } },
      result: results,
      text: () => herdText(results, herd),
      isSound: true,
    });
  },
});
