/**
 * Settings come in layers, a higher one over a lower one: .env, the policy's file, the environment, the command line.
 * Who set what, and over what, decides whether an odd setting is a slip or a leftover.
 */

/**
 * `file`: written for the lab · `typed`: on the command line · `ambient`: a shell's or a container's environment, most
 * of which is none of our business.
 */
export type LayerKind = "file" | "typed" | "ambient";

export interface Layer {
  readonly kind: LayerKind;
  readonly settings: Readonly<Record<string, string>>;
  /** Where this layer sets `name`, for people: "policies/mine.env line 4". Absent: the user has just typed it. */
  where?(name: string): string;
}

/** Position of the highest layer that sets `name`; -1 where none does and the default holds. */
export function layerOf(layers: readonly Layer[], name: string): number {
  return layers.findLastIndex(({ settings }) => Object.hasOwn(settings, name));
}

/** Where `name` got its value, for people; empty where the user has just typed it, or it is not set. */
export function whereSet(layers: readonly Layer[], name: string): string {
  return layers[layerOf(layers, name)]?.where?.(name) ?? "";
}

/** All layers as one environment. */
export function merged(layers: readonly Layer[]): Record<string, string> {
  return Object.fromEntries(layers.flatMap(({ settings }) => Object.entries(settings)));
}
