/**
 * The settings of one process: the environment, read by the table of knobs.
 *
 * All faults are found before any is reported, so nobody mends one only to meet the next.
 */
import { ConfigError } from "./config-error.ts";
import { contradictions } from "./contradictions.ts";
import { formatKnob, parseKnob, parseTiers, type KnobValue } from "./knob-parse.ts";
import { HOP_DEFAULTS, hopName, KNOB_BY_NAME, KNOBS, type Knob } from "./knobs.ts";
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

/** The names that may be set, each with its knob: all knobs, and the policy's knobs for each hop of TIERS. */
export function knownNames(tiers: readonly string[]): Map<string, Knob> {
  const names = new Map<string, Knob>(KNOB_BY_NAME);
  for (const hop of tiers) {
    for (const knob of KNOBS) if (knob.group === "policy") names.set(hopName(hop, knob.name), knob);
  }
  return names;
}

/** The hops of an environment; the reference chain where TIERS is missing or wrong (which is reported elsewhere). */
export function tiersOf(env: Env): string[] {
  return parseTiers(env["TIERS"] ?? "") ?? ["edge", "api"];
}

function parseAll(env: Env, known: ReadonlyMap<string, Knob>) {
  const values = new Map<string, KnobValue>();
  const problems: string[] = [];
  for (const [name, knob] of known) {
    const text = env[name] ?? HOP_DEFAULTS[name] ?? (name === knob.name ? knob.default : undefined);
    if (text === undefined) continue;
    const parsed = parseKnob(knob, name, text);
    if ("problem" in parsed) problems.push(...parsed.problem.split("\n"));
    else values.set(name, parsed.value);
  }
  return { values, problems };
}

function createValues(env: Env, values: ReadonlyMap<string, KnobValue>): Values {
  const pick = (name: string, hop: string | undefined): KnobValue => {
    const own = hop === undefined ? undefined : values.get(hopName(hop, name));
    const value = own ?? values.get(name);
    if (value === undefined) throw new Error(`${name} is not a knob`);
    return value;
  };
  return {
    number: (name, hop) => Number(pick(name, hop)),
    flag: (name, hop) => pick(name, hop) === true,
    text: (name, hop) => String(pick(name, hop)),
    isSet: (name, hop) => env[hop === undefined ? name : hopName(hop, name)] !== undefined,
    effective: () => Object.fromEntries([...values].map(([name, value]) => [name, formatKnob(value)])),
  };
}

/** Reads `env`. Throws a ConfigError with every fault: malformed, out of range, unknown, contradictory. */
export function readValues(env: Env, options: ReadOptions = {}): Values {
  const tiers = tiersOf(env);
  const known = knownNames(tiers);
  const { values: parsed, problems } = parseAll(env, known);
  problems.push(...unknownNames(env, known, tiers));
  const values = createValues(env, parsed);
  if (problems.length === 0) problems.push(...contradictions(values, tiers, options.explicit ?? new Set()));
  if (problems.length > 0) throw new ConfigError(problems);
  return values;
}
