/**
 * Settings that are fine alone and senseless together, as the knobs' own rows say. What merely has no effect:
 * `no-effect.ts`.
 */
import { hopName, meets, type Clash, type InForce, type Knob, type UpperBound } from "./knobs/knob.ts";
import { knobNamed, KNOBS } from "./knobs/knobs.ts";

export interface Contradiction {
  /** The settings that it is about, as they are called where they were set. */
  readonly names: readonly string[];
  readonly text: string;
}

/** What the checks read: values by name, whatever the knob is. */
export interface Reader {
  readonly number: (name: string, hop?: string) => number;
  /** All settings as texts. */
  readonly texts: Readonly<Record<string, string>>;
}

/** What a knob is called where its value for `hop` stands. */
export function nameFor({ texts }: Reader, knob: string, hop: string): string {
  const own = hopName(hop, knob);
  return texts[own] === undefined ? knob : own;
}

function hasEffect(knob: string, at: InForce): boolean {
  return (knobNamed(knob)?.needs ?? []).every((need) => meets(need, at.text(need.knob)));
}

function aboveBound(knob: Knob, { knob: upper, strictly, why }: UpperBound, at: InForce): Clash[] {
  const [value, most] = [at.number(knob.name), at.number(upper)];
  const isAbove = value > most || (strictly === true && value === most);
  return isAbove && hasEffect(knob.name, at) && hasEffect(upper, at) ? [{ with: [upper], why }] : [];
}

const shown = (text: string): string => (text.includes(" ") ? JSON.stringify(text) : text);

/** @param hop "" for a knob of the whole run */
function contradictionsAt(knob: Knob, hop: string, reader: Reader, tiers: readonly string[]): Contradiction[] {
  const { texts } = reader;
  const name = nameFor(reader, knob.name, hop);
  const at: InForce = {
    number: (other) => reader.number(other, hop),
    text: (other) => texts[nameFor(reader, other, hop)] ?? "",
    hop,
    isOwn: name !== knob.name,
    tiers,
  };
  const { atMost = [], clashes } = knob;
  const found = [...atMost.flatMap((bound) => aboveBound(knob, bound, at)), ...(clashes?.(at) ?? [])];
  return found.map(({ with: others, why, detail }) => {
    const names = others.map((other) => nameFor(reader, other, hop));
    const what = detail === undefined ? `${name}=${shown(at.text(knob.name))}` : `${name} ${detail}, which`;
    const rest = names.map((other) => `${other}=${shown(texts[other] ?? "")}`).join(" and ");
    return { names: [name, ...names], text: `${what} does not go with ${rest}: ${why}.` };
  });
}

/** Every contradiction, each once. @param tiers the hops, from the client's side down */
export function contradictions(reader: Reader, tiers: readonly string[]): Contradiction[] {
  const all = KNOBS.flatMap((knob) =>
    (knob.perHop === true ? tiers : [""]).flatMap((hop) => contradictionsAt(knob, hop, reader, tiers)),
  );
  return [...new Map(all.map((found) => [found.text, found])).values()];
}
