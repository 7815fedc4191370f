/** The command `lab twin`. What it does is in experiment.ts. */
import { ConfigError } from "../../../services/settings/values.ts";
import type { CommandHome, Verb } from "../../runs/verb.ts";
import {
  contextOf,
  ending,
  listOf,
  repeatOf,
  repeatOption,
  type Options,
} from "../../runs/command-options.ts";
import { triggersNamed } from "../metastable/experiment.ts";
import { twinCommand, twinOfSaved } from "./experiment.ts";
import { LEAST_FOR_DISTRIBUTION } from "./judgement.ts";

interface TwinOptions extends Omit<Options, "from"> {
  readonly from?: string[];
  readonly bistable?: string;
  readonly bistableRepeat?: string;
}

const POLICIES = ["budgeted", "owner", "naive"];

/** More runs over HTTP than this are a slip: they would take more than an hour. */
const MOST_BISTABLE = 300;

function bistableRepeatOf({ bistableRepeat = String(LEAST_FOR_DISTRIBUTION) }: TwinOptions): number {
  const value = Number(bistableRepeat);
  if (/^\d{1,3}$/.test(bistableRepeat) && value >= LEAST_FOR_DISTRIBUTION && value <= MOST_BISTABLE)
    return value;
  throw new ConfigError([
    `--bistable-repeat ${bistableRepeat}: a whole number from ${LEAST_FOR_DISTRIBUTION} to ${MOST_BISTABLE} is needed; fewer runs say too little about a distribution.`,
  ]);
}

/** The value of each part, or one ConfigError with the faults of all. */
function allOf<T extends readonly (() => unknown)[]>(...parts: T): { [I in keyof T]: ReturnType<T[I]> } {
  const faults: string[] = [];
  const values = parts.map((part) => {
    try {
      return part();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(...error.problems);
      return undefined;
    }
  });
  if (faults.length > 0) throw new ConfigError(faults);
  return values as { [I in keyof T]: ReturnType<T[I]> };
}

function twin(home: CommandHome, named: readonly string[], options: TwinOptions): Promise<number> {
  const { from } = options;
  const [repeat, bistableRepeat, triggers] = allOf(
    () => repeatOf(options.repeat === undefined ? {} : { repeat: options.repeat }),
    () => bistableRepeatOf(options),
    () => (options.trigger === undefined ? [] : triggersNamed(listOf(options.trigger))),
    () => {
      if (from !== undefined && named.length > 0)
        throw new ConfigError([
          `--from does not go with ${named.join(" ")}: it judges what the runs there are of.`,
        ]);
    },
  );
  const bistable = listOf(options.bistable ?? "");
  const json = options.json === true;
  const context = contextOf(home);
  if (from !== undefined) return twinOfSaved(context, { from, bistable, json });
  const policies = named.length === 0 ? POLICIES : named;
  return twinCommand(context, { policies, repeat, bistable, bistableRepeat, triggers, json });
}

export const verbTwin: Verb = {
  name: "twin",
  summary: "the same seeds over HTTP and in virtual time, some minutes long: exit 1 where the two disagree",
  group: "find out more",
  page: "docs/twin.md",
  make: true,
  runsIn: "shell",
  add: (command, home) => {
    command
      .argument("[policies...]", `names of files in policies/ (${POLICIES.join(", ")} where none is named)`)
      .addOption(repeatOption("3"))
      .option("--bistable <names>", "policies at the tipping point, judged by distribution", "naive")
      .option("--bistable-repeat <n>", "seeds for each of those", String(LEAST_FOR_DISTRIBUTION))
      .option("--trigger <names>", "triggers of `lab metastable`, as further scenarios")
      .option("--from <folder...>", "reports of runs over HTTP that are there already; none is made")
      .option("--json", "the result alone on stdout")
      .action((policies: string[], options: TwinOptions) => ending(twin(home, policies, options)));
  },
};
