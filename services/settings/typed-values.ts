/** The settings as the programs ask for them: names and choices have their types from the table of knobs. */
import type { Knob } from "./knobs/knob.ts";
import type { ChoiceKnobName, ChoiceOf, FlagKnobName, KnobName, NumberKnobName } from "./knobs/knobs.ts";

type ValueOf<Row> = Row extends { readonly kind: "number" }
  ? number
  : Row extends { readonly kind: "flag" }
    ? boolean
    : Row extends { readonly choices: readonly (infer Choice)[] }
      ? Choice
      : string;

type FieldName<Row> = Row extends { readonly field: infer Field extends string } ? Field : never;

/** The fields that rows of the table name, with the types of their values. */
export type FieldsOf<Row> = {
  readonly [Field in FieldName<Row>]: ValueOf<Extract<Row, { readonly field: Field }>>;
};

export interface Values {
  /** Of those rows that name a field of a policy or config, all fields with their values. */
  fields<const Row extends Knob>(rows: readonly Row[], hop?: string): FieldsOf<Row>;
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
