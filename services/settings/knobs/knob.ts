/** What a knob is: one variable of the environment, as plain data. The tables are in `knobs-*.ts`. */

interface KnobHead {
  readonly name: string;
  /** As text, exactly as it would be written in a file. */
  readonly default: string;
  /** One line of meaning for people. */
  readonly doc: string;
  /** True where a prefix (EDGE_, API_, …) sets it for one hop. */
  readonly perHop?: boolean;
  /** Defaults of single hops that differ from `default`, by the hop's name. */
  readonly hopDefaults?: Readonly<Record<string, string>>;
  /** True where a shell may well use the name for something else: it is not taken from the ambient environment. */
  readonly notAmbient?: boolean;
}

export interface NumberKnob extends KnobHead {
  readonly kind: "number";
  readonly min: number;
  readonly max: number;
  readonly unit: string;
  /** True where only whole numbers are allowed. */
  readonly whole?: boolean;
  /** A word that may stand in place of a number; its value is Infinity. */
  readonly word?: "off" | "auto";
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
}

export type Knob = NumberKnob | FlagKnob | ChoiceKnob | TextKnob;

/** The rule that a value must keep, as the end of "it must be …". */
export function ruleOf(knob: Knob): string {
  switch (knob.kind) {
    case "number": {
      const what = knob.whole === true ? "a whole number" : "a number";
      const word = knob.word === undefined ? "" : `, or "${knob.word}"`;
      return `${what}, ${knob.min} to ${knob.max} ${knob.unit}${word}`;
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
