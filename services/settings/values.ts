/**
 * The settings of one process: the environment, read by the table of knobs.
 *
 * All faults are found before any is reported, so that they can be mended at once.
 */
import { ConfigError } from "./known-error.ts";
import { contradictions, type Reader } from "./contradictions.ts";
import { hopName, type Knob } from "./knobs/knob.ts";
import { knobNamed, KNOBS, type ChoiceKnobName, type ChoiceOf } from "./knobs/knobs.ts";
import { merged, whereSet, type Layer } from "./layers.ts";
import { withoutEffect } from "./no-effect.ts";
import { parseSetting, type Parsed } from "./parse-setting.ts";
import { isTierName, tierList, tiersProblems } from "./tiers.ts";
import { unknownNames } from "./unknown-names.ts";
import type { FieldsOf, Values } from "./typed-values.ts";

export { ConfigError, type Values };

type Env = Readonly<Record<string, string | undefined>>;

/** The names that may be set, each with its knob: all knobs, and the hops' own where a hop can have one. */
export function knownNames(tiers: readonly string[]): Map<string, Knob> {
  const names = new Map<string, Knob>(KNOBS.map((knob) => [knob.name, knob]));
  for (const hop of tiers) {
    for (const knob of KNOBS) if (knob.perHop === true) names.set(hopName(hop, knob.name), knob);
  }
  return names;
}

const REFERENCE_TIERS = tierList(knobNamed("TIERS")?.default ?? "");

/** The hops of an environment, from the client's side down. Where TIERS is wrong (reported elsewhere): a good guess. */
export function tiersOf(env: Env): string[] {
  const text = env["TIERS"];
  if (text === undefined) return REFERENCE_TIERS;
  const names = tierList(text);
  if (tiersProblems(text).length === 0) return names;
  return [...new Set([...REFERENCE_TIERS, ...names.filter(isTierName)])];
}

/** What holds where `name` is not set: the knob's default, or the one of that hop. */
function defaultOf(knob: Knob, name: string, tiers: readonly string[]): string | undefined {
  if (name === knob.name) return knob.default;
  const hop = tiers.find((tier) => hopName(tier, knob.name) === name);
  const { hopDefaults = {} } = knob;
  return hop !== undefined && Object.hasOwn(hopDefaults, hop) ? hopDefaults[hop] : undefined;
}

interface Fault {
  readonly names: readonly string[];
  readonly text: string;
}

/** What each name is set to. A wrong setting is a fault, and its default stands in for it in all further checks. */
function parseAll(env: Env, known: ReadonlyMap<string, Knob>, tiers: readonly string[]) {
  const settings = new Map<string, Parsed>();
  const faults: Fault[] = [];
  for (const [name, knob] of known) {
    const fallback = defaultOf(knob, name, tiers);
    const text = env[name] ?? fallback;
    if (text === undefined) continue;
    const parsing = parseSetting(knob, name, text);
    if ("parsed" in parsing) {
      settings.set(name, parsing.parsed);
      continue;
    }
    faults.push({ names: [name], text: parsing.problem });
    const standIn = fallback === undefined ? undefined : parseSetting(knob, name, fallback);
    if (standIn !== undefined && "parsed" in standIn) settings.set(name, standIn.parsed);
  }
  return { settings, faults };
}

function createValues(env: Env, settings: ReadonlyMap<string, Parsed>) {
  const pick = (name: string, hop: string | undefined): Parsed["value"] => {
    const own = hop === undefined ? undefined : settings.get(hopName(hop, name));
    const setting = own ?? settings.get(name);
    if (setting === undefined || knobNamed(name) === undefined) throw new Error(`${name} is not a knob`);
    return setting.value;
  };
  const text = (name: string, hop?: string): string => String(pick(name, hop));
  const fieldOf = (knob: Knob, hop: string | undefined): Parsed["value"] =>
    knob.kind === "number" ? Number(pick(knob.name, hop)) * (knob.range.times ?? 1) : pick(knob.name, hop);
  return {
    number: (name: string, hop?: string) => Number(pick(name, hop)),
    flag: (name: string, hop?: string) => pick(name, hop) === true,
    // The parser has let nothing else through.
    choice: <Name extends ChoiceKnobName>(name: Name, hop?: string) => text(name, hop) as ChoiceOf<Name>,
    fields: <Row extends Knob>(rows: readonly Row[], hop?: string) => {
      const entries = rows.map((knob) => [knob.field, fieldOf(knob, hop)] as const);
      return Object.fromEntries(entries.filter(([field]) => field !== undefined)) as FieldsOf<Row>;
    },
    text,
    isSet: (name: string, hop?: string) => env[hop === undefined ? name : hopName(hop, name)] !== undefined,
    effective: () => Object.fromEntries([...settings].map(([name, parsed]) => [name, parsed.text])),
  };
}

/** "policies/mine.env line 4: RATE=…", or, where several settings are involved, where each of them stands. */
function located({ names, text }: Fault, layers: readonly Layer[]): string {
  const places = names.map((name) => ({ name, where: whereSet(layers, name) })).filter(({ where }) => where !== "");
  if (places.length === 0) return text;
  if (names.length === 1) return `${places[0]?.where}: ${text}`;
  return `${text} [${places.map(({ name, where }) => `${name}: ${where}`).join("; ")}]`;
}

function read(layers: readonly Layer[], checkEffect: boolean): Values {
  const env = merged(layers);
  const tiers = tiersOf(env);
  const known = knownNames(tiers);
  const { settings, faults } = parseAll(env, known, tiers);
  const scope = { known: new Set(known.keys()), tiers, layers };
  const strangers = layers.flatMap((layer) =>
    unknownNames(layer, scope).map(({ name, text }) => located({ names: [name], text }, [layer])),
  );
  const values = createValues(env, settings);
  const reader: Reader = { number: values.number, texts: values.effective() };
  const wrong = new Set(faults.flatMap(({ names }) => names));
  const clashes = [
    ...contradictions(reader, tiers),
    ...(checkEffect ? withoutEffect(reader, tiers, layers) : []),
  ].filter(({ names }) => !names.some((name) => wrong.has(name)));
  const problems = [...strangers, ...[...faults, ...clashes].map((fault) => located(fault, layers))];
  if (problems.length > 0) throw new ConfigError(problems);
  return values;
}

/** Reads settings of several sources, lowest first. Throws one ConfigError with every fault. */
export function readLayers(layers: readonly Layer[]): Values {
  return read(layers, true);
}

/**
 * Reads the environment of a process, where the settings have been resolved already (`services/settings/resolve.ts`)
 * and stand among names that mean nothing to the lab. Throws one ConfigError with every fault: malformed, out of range,
 * misspelt, contradictory.
 */
export function readValues(env: Env): Values {
  const settings = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return read([{ kind: "ambient", settings }], false);
}
