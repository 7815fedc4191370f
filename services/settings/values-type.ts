/** The settings as the programs ask for them. */
export interface Values {
  /** A number; Infinity for "off" and "auto". With `hop`, that hop's own value where it has one. */
  number(name: string, hop?: string): number;
  flag(name: string, hop?: string): boolean;
  text(name: string, hop?: string): string;
  /** Whether the environment sets it, under this very name (with the hop's prefix). */
  isSet(name: string, hop?: string): boolean;
  /** Every knob with its value, and the overrides of single hops: reading it again gives the same. */
  effective(): Record<string, string>;
}
