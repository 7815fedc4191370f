/**
 * What a knob is: one variable of the environment, as plain data. All that is said about a knob stands in its row: what
 * it may be, which other knob lets it have an effect, and what it does not go with.
 */

/** What must hold for a knob to have an effect. */
export interface Need {
  /** The knob that decides. */
  readonly knob: string;
  /** The values of that knob with which there is an effect. */
  readonly is?: readonly string[];
  /** The values of that knob with which there is none. */
  readonly isNot?: readonly string[];
  /** Completes "it needs …". */
  readonly what: string;
  /** A value of which nobody would expect an effect. */
  readonly harmless?: string;
  /** Whether something else lets it have an effect. @param texts all settings by name */
  readonly unless?: (texts: Readonly<Record<string, string>>) => boolean;
}

/** Whether the deciding knob's value lets the other one have an effect. */
export function meets({ is, isNot = [] }: Need, value: string): boolean {
  return is === undefined ? !isNot.includes(value) : is.includes(value);
}

/** A bound that another knob sets. It counts where both knobs have an effect. */
export interface UpperBound {
  readonly knob: string;
  /** True where the two may not be equal either. */
  readonly strictly?: true;
  /** Completes "A=1 does not go with B=2: …". */
  readonly why: string;
}

/** What holds at one hop; for a knob of the whole run, everywhere. */
export interface InForce {
  readonly number: (name: string) => number;
  readonly text: (name: string) => string;
  /** The hop's name; "" for the run as a whole. */
  readonly hop: string;
  /** Whether this hop has a setting of its own for the knob in question. */
  readonly isOwn: boolean;
  /** The hops from the client's side down. */
  readonly tiers: readonly string[];
}

/** Settings that are fine alone and senseless with the knob in question. */
export interface Clash {
  /** The other knobs. */
  readonly with: readonly string[];
  /** Completes "A=1 does not go with B=2: …". */
  readonly why: string;
  /** What about the setting is wrong, where it is not the whole value: "has a step at 20s". */
  readonly detail?: string;
}

/** A step of a timeline that the run does not get to. */
export function afterTheEnd(atS: number): Clash {
  return { detail: `has a step at ${atS}s`, with: ["DURATION_S"], why: "the run is over by then" };
}

interface KnobHead {
  readonly name: string;
  /** As text, exactly as it would be written in a file. */
  readonly default: string;
  /** One line of meaning for people. */
  readonly doc: string;
  /** What the program's policy or config calls it; absent where that has to be worked out from several knobs. */
  readonly field?: string;
  /** True where a prefix (EDGE_, API_, …) sets it for one hop. */
  readonly perHop?: boolean;
  /** Defaults of single hops that differ from `default`, by the hop's name. */
  readonly hopDefaults?: Readonly<Record<string, string>>;
  /** True where a shell may well use the name for something else: it is not taken from the ambient environment. */
  readonly notAmbient?: boolean;
  /** All of them must hold for the knob to have an effect. */
  readonly needs?: readonly Need[];
  readonly atMost?: readonly UpperBound[];
  readonly clashes?: (at: InForce) => readonly Clash[];
}

export interface NumberRange {
  readonly min: number;
  readonly max: number;
  readonly unit: string;
  /** True where only whole numbers are allowed. */
  readonly whole?: boolean;
  /** The field is this many times the number: 1000 where seconds become milliseconds. */
  readonly times?: number;
  /** A word that may stand in place of a number; its value is Infinity. */
  readonly word?: "off" | "auto";
}

export interface NumberKnob extends KnobHead {
  readonly kind: "number";
  readonly range: NumberRange;
}

export interface FlagKnob extends KnobHead {
  readonly kind: "flag";
}

export interface ChoiceKnob extends KnobHead {
  readonly kind: "choice";
  readonly choices: readonly string[];
}

export interface TextKnob extends KnobHead {
  readonly kind: "text";
  /** What the text must be, as the end of "it must be …". */
  readonly form: string;
  /** What is wrong with it, fault by fault; none = valid. */
  readonly problems: (text: string) => readonly string[];
  /** The one way to write it; as it is where absent. */
  readonly canonical?: (text: string) => string;
  /** Whether it holds addresses, of which messages show no user and no password. */
  readonly isAddress?: true;
}

export type Knob = NumberKnob | FlagKnob | ChoiceKnob | TextKnob;

/** Knobs that each hop may have a setting of its own for. */
export function atEachHop<const Rows extends readonly Knob[]>(rows: Rows): readonly Rows[number][] {
  return rows.map((row) => ({ ...row, perHop: true }));
}

/** The rule that a value must keep, as the end of "it must be …". */
export function ruleOf(knob: Knob): string {
  switch (knob.kind) {
    case "number": {
      const { min, max, unit, whole, word } = knob.range;
      const what = whole === true ? "a whole number" : "a number";
      return `${what}, ${min} to ${max} ${unit}${word === undefined ? "" : `, or "${word}"`}`;
    }
    case "flag":
      return "0 or 1 (false or true)";
    case "choice":
      return `one of ${knob.choices.join(", ")}`;
    case "text":
      return knob.form;
  }
}

/** The prefix that makes a knob one hop's own: "edge" → "EDGE_". */
export function prefixOf(hop: string): string {
  return `${hop.toUpperCase()}_`;
}

/** A hop's own name for a knob: EDGE_MAX_ATTEMPTS. */
export function hopName(hop: string, name: string): string {
  return prefixOf(hop) + name;
}
