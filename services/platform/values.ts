/**
 * The settings of one process: the environment, read by the table of knobs.
 *
 * All faults are found before any is reported, so nobody mends one only to meet the next.
 */
import { ConfigError } from "./config-error.ts";
import { contradictions } from "./contradictions.ts";
import type { Knob } from "./knob.ts";
import { hopName, knobNamed, KNOBS } from "./knobs.ts";
import { parseSetting, type Parsed } from "./parse.ts";
import { tierList, tiersProblems } from "./text-forms.ts";
import { unknownNames } from "./unknown-names.ts";
import type { Values } from "./values-type.ts";

export { ConfigError, type Values };

type Env = Readonly<Record<string, string | undefined>>;

export interface ReadOptions {
  /**
   * Names that the user typed for this very command. Among them, one that can have no effect is a fault; a policy's
   * own settings may be made void by an override.
   */
  readonly explicit?: ReadonlySet<string>;
}

/** The names that may be set, each with its knob: all knobs, and the hops' own where a hop can have one. */
export function knownNames(tiers: readonly string[]): Map<string, Knob> {
  const names = new Map<string, Knob>(KNOBS.map((knob) => [knob.name, knob]));
  for (const hop of tiers) {
    for (const knob of KNOBS) if (knob.perHop === true) names.set(hopName(hop, knob.name), knob);
  }
  return names;
}

/** The hops of an environment; the reference chain where TIERS is missing or wrong (which is reported elsewhere). */
export function tiersOf(env: Env): string[] {
  const text = env["TIERS"];
  return text === undefined || tiersProblems(text).length > 0 ? ["edge", "api"] : tierList(text);
}

/** What holds where nobody set `name`: the knob's default, or the one of that hop. */
function defaultOf(knob: Knob, name: string, tiers: readonly string[]): string | undefined {
  if (name === knob.name) return knob.default;
  const hop = tiers.find((tier) => hopName(tier, knob.name) === name);
  return hop === undefined ? undefined : knob.hopDefaults?.[hop];
}

function parseAll(env: Env, known: ReadonlyMap<string, Knob>, tiers: readonly string[]) {
  const settings = new Map<string, Parsed>();
  const problems: string[] = [];
  for (const [name, knob] of known) {
    const text = env[name] ?? defaultOf(knob, name, tiers);
    if (text === undefined) continue;
    const parsing = parseSetting(knob, name, text);
    if ("problem" in parsing) problems.push(parsing.problem);
    else settings.set(name, parsing.parsed);
  }
  return { settings, problems };
}

function createValues(env: Env, settings: ReadonlyMap<string, Parsed>): Values {
  const pick = (name: string, hop: string | undefined): Parsed["value"] => {
    const own = hop === undefined ? undefined : settings.get(hopName(hop, name));
    const setting = own ?? settings.get(name);
    if (setting === undefined || knobNamed(name) === undefined) throw new Error(`${name} is not a knob`);
    return setting.value;
  };
  return {
    number: (name, hop) => Number(pick(name, hop)),
    flag: (name, hop) => pick(name, hop) === true,
    text: (name, hop) => String(pick(name, hop)),
    isSet: (name, hop) => env[hop === undefined ? name : hopName(hop, name)] !== undefined,
    effective: () => Object.fromEntries([...settings].map(([name, { text }]) => [name, text])),
  };
}

/** Reads `env`. Throws a ConfigError with every fault: malformed, out of range, unknown, contradictory. */
export function readValues(env: Env, options: ReadOptions = {}): Values {
  const tiers = tiersOf(env);
  const known = knownNames(tiers);
  const { settings, problems } = parseAll(env, known, tiers);
  problems.push(...unknownNames(env, known, tiers));
  const values = createValues(env, settings);
  if (problems.length === 0) problems.push(...contradictions(values, tiers, options.explicit ?? new Set()));
  if (problems.length > 0) throw new ConfigError(problems);
  return values;
}
