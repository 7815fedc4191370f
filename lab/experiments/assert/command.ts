/** The verb `assert`. */
import { Argument, Option } from "commander";
import { ConfigError } from "../../../services/settings/values.ts";
import { experimentFolder } from "../../runs/context.ts";
import {
  experimentVerb,
  repeatOf,
  repeatOption,
  takeOnly,
  worldOf,
  worldOption,
  type ExperimentOptions,
} from "../../runs/experiment-verb.ts";
import { compare } from "../compare/experiment.ts";
import { parseAll, policiesIn } from "./assertion.ts";
import { findingsOf, readComparison } from "./experiment.ts";
import { findingsText } from "./text.ts";

interface Options extends ExperimentOptions {
  /** A comparison that was made before: its folder, or its comparison.json. */
  readonly from?: string;
}

export const verbAssert = experimentVerb<Options>({
  name: "assert",
  summary: "bounds that a policy must keep: exit 1 where one does not hold",
  page: "docs/compare-and-sweep.md",
  make: false,
  argument: new Argument("<assertion...>", "such as 'budgeted.amplification < 1.6'"),
  options: [
    new Option("--from <folder>", "a comparison that was made before; without it, one is made"),
    repeatOption("10"),
    worldOption(),
  ],
  run: async (context, options, texts) => {
    const request = { repeat: repeatOf(options), world: worldOf(options, context) };
    const assertions = parseAll(texts);
    if (context.typed.includes("POLICY"))
      throw new ConfigError([`POLICY=${context.valueOf("POLICY")}: each assertion names its policy. Leave it out.`]);
    if (options.from !== undefined) takeOnly(context, ["REPORTS_DIR"], "--from judges runs that are there already.");
    const policies = [...new Set(assertions.flatMap(policiesIn))];
    if (policies.length === 0) throw new ConfigError(["no assertion speaks of a policy: there is nothing to run."]);
    const folder = (): string => experimentFolder(context, `assert-${context.stamp}`);
    const comparison =
      options.from === undefined
        ? await compare(context, { ...request, policies }, folder())
        : readComparison(options.from);
    const findings = findingsOf(assertions, comparison);
    context.print(context.json ? JSON.stringify(findings, null, 2) : findingsText(findings));
    return findings.holds ? 0 : 1;
  },
});
