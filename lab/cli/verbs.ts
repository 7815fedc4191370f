/**
 * The registry of verbs: all that can stand behind `make` or `bin/lab`, in the order of README's table. A new verb is a row
 * here and, where bin/lab is to do it itself, a function there. What follows from the rows is in verb-pages.ts.
 */
import { verbAblate } from "../experiments/ablate/command.ts";
import { verbAssert } from "../experiments/assert/command.ts";
import { verbCompare } from "../experiments/compare/command.ts";
import { verbFanOut } from "../experiments/fan-out/command.ts";
import { verbFleet } from "../experiments/fleet/command.ts";
import { verbFrontier } from "../experiments/frontier/command.ts";
import { verbHedge } from "../experiments/hedge/command.ts";
import { verbHerd } from "../experiments/herd/command.ts";
import { verbMap } from "../experiments/map/command.ts";
import { verbMetastable } from "../experiments/metastable/command.ts";
import { verbPublished } from "../experiments/published/command.ts";
import { verbScale } from "../experiments/scale/command.ts";
import { verbSweep } from "../experiments/sweep/command.ts";
import { verbTwin } from "../experiments/twin/command.ts";
import { verbSwitch } from "../observe/switch-command.ts";
import type { Verb } from "../runs/verb.ts";
import { verbLive, verbReport, verbTrace } from "./look-verbs.ts";
import { verbCompareReports, verbResolve, verbRun } from "./run-verbs.ts";
import { verbUp } from "./up.ts";

/** A verb that is a function of bin/lab and nothing else. */
const ofShell = (
  group: Verb["group"],
  name: string,
  summary: string,
  more: Pick<Verb, "page" | "words"> = {},
): Verb => ({
  name,
  summary,
  group,
  ...more,
  make: true,
  runsIn: "shell",
});

const WITH_JSON = { words: "[NAME=value …] [--json]" };

export const VERBS: readonly Verb[] = [
  ofShell("the story", "demo", "naive, then budgeted, side by side: the whole story in a minute", WITH_JSON),
  ofShell("the story", "break", "one run under the naive policy: watch the retry storm", WITH_JSON),
  ofShell("the story", "test", "one run under the budgeted policy: the same luck, no storm", WITH_JSON),
  verbRun,
  verbCompare,
  verbLive,
  ofShell(
    "look at it",
    "dash",
    "Prometheus and Grafana beside a chain under load; break, test and run then switch its policy live",
    { page: "docs/dashboards.md" },
  ),
  verbReport,
  verbTrace,
  verbUp,
  ofShell("look at it", "down", "the end of what up or dash left", { words: "" }),
  verbAblate,
  verbMetastable,
  verbHerd,
  verbHedge,
  verbFanOut,
  verbFleet,
  verbFrontier,
  verbMap,
  verbScale,
  verbPublished,
  verbSweep,
  verbAssert,
  verbTwin,
  ofShell("the lab itself", "check", "format, lint, types and all tests", { words: "" }),
  ofShell("the lab itself", "bench", "the lab beside its peers", { page: "docs/bench.md", words: "" }),
  ofShell("the lab itself", "clean", "removes what was built, and a chain that up left; reports and packages stay", {
    words: "",
  }),
  {
    ...ofShell("the lab itself", "completion", "completion of verbs, options, settings and policies by your shell", {
      page: "docs/completion.md",
      words: "<bash|zsh|fish>",
    }),
    make: false,
  },
  ofShell("the lab itself", "help", "all verbs", { words: "[verb]" }),
  verbResolve,
  verbCompareReports,
  verbSwitch,
];
