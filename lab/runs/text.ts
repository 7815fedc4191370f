/** What the experiments' texts for people are made of. */
import Table, { type Cell } from "cli-table3";

export function textTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const table = new Table({ head: [...head], style: { head: [], border: [], compact: true } });
  table.push(...rows.map((row) => [...row]));
  return table.toString();
}

/** A row for each of `down`, a column for each of `across`. @param corner what the two are */
export function gridText<X extends string | number, Y extends string | number>(
  corner: string,
  { down, across }: { readonly down: readonly Y[]; readonly across: readonly X[] },
  cell: (x: X, y: Y) => string,
): string {
  const rows = down.map((y) => [String(y), ...across.map((x) => cell(x, y))]);
  return textTable([corner, ...across.map(String)], rows);
}

/** "seed 1", or "seeds 1 to 10". @param seeds ascending, one or more */
export const seedsText = (seeds: readonly number[]): string =>
  seeds.length === 1 ? `seed ${seeds[0]}` : `seeds ${seeds[0]} to ${seeds.at(-1)}`;
