/** How many processes a hop consists of. */
import { tierList } from "./tiers.ts";
import type { Values } from "./typed-values.ts";

/** 1 or more. The load calls one address, so the first hop is one, whatever holds for all. */
export function instancesOf(values: Values, hop: string): number {
  const isFirst = tierList(values.text("TIERS"))[0] === hop;
  return isFirst && !values.isSet("INSTANCES", hop) ? 1 : values.number("INSTANCES", hop);
}
