/** The verb `frontier`. */
import { conclude } from "../../runs/conclude.ts";
import { experimentVerb, policiesArgument, repeatOf, repeatOption } from "../../runs/experiment-verb.ts";
import { sweep } from "../sweep/experiment.ts";
import { sweepMaps } from "../sweep/page.ts";
import { FRONTIER_AXES, frontierOf } from "./experiment.ts";
import { frontierText } from "./text.ts";

export const verbFrontier = experimentVerb({
  name: "frontier",
  summary: "over load and errors: the best possible, and which policy comes nearest",
  page: "docs/frontier-and-maps.md",
  argument: policiesArgument("naive", "budgeted", "owner"),
  options: [repeatOption("1")],
  instead: {
    RATE: "bin/lab sweep --vary RATE=… has loads of your own.",
    ERROR_RATE: "bin/lab sweep --vary ERROR_RATE=… has errors of your own.",
  },
  run: async (context, options, policies) => {
    const repeat = repeatOf(options);
    const swept = await sweep(context, { policies, repeat, vary: FRONTIER_AXES, world: "virtual" });
    const cells = frontierOf(swept.points);
    const maps = sweepMaps(context, swept.axes, swept.points);
    return conclude(context, {
      folder: swept.folder,
      files: { "frontier.json": { schema: 1, cells }, "maps.json": maps },
      page: {
        title: "The frontier",
        lead: `${policies.join(", ")} over load and errors in virtual time: the share of the requests that succeeded, and how far each policy could come.`,
        words: ["frontier", ...policies, "--repeat", String(repeat)],
        maps,
      },
      result: { cells, maps },
      text: () => frontierText(cells),
      counted: swept.points,
    });
  },
});
