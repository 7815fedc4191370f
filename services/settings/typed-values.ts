/** The settings as the programs ask for them: names and choices have their types from the table of knobs. */
import type { ChoiceKnobName, ChoiceOf, FlagKnobName, KnobName, NumberKnobName } from "./knobs/knobs.ts";

export interface Values {
  /** A number; Infinity for "off" and "auto". With `hop`, that hop's own value where it has one. */
  number(name: NumberKnobName, hop?: string): number;
  flag(name: FlagKnobName, hop?: string): boolean;
  /** One of the knob's choices. */
  choice<Name extends ChoiceKnobName>(name: Name, hop?: string): ChoiceOf<Name>;
  text(name: KnobName, hop?: string): string;
  /** Whether the environment sets it, under this very name (with the hop's prefix). */
  isSet(name: KnobName, hop?: string): boolean;
  /** Every knob with its value, and the overrides of single hops: reading it again gives the same. */
  effective(): Record<string, string>;
}
