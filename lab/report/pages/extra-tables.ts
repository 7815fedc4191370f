/** The numbers behind maps and ablations, as tables. */
import type { Markup } from "./markup.ts";
import type { AblationData, Interval, PhaseMap } from "../data/model.ts";
import { table } from "./tables.ts";
import { duration, interval, orDash, percent, times, value } from "../../../loadgen/core/format.ts";

export function ablationTable({ title, rows }: AblationData): Markup {
  const told = (of: Interval | null, text: (number: number) => string): string =>
    interval(text, of && { ...of, low: of.low ?? of.median, high: of.high ?? of.median });
  return table({
    caption: `${title}: medians, with their intervals where repeats were made`,
    head: ["variant", "succeeded", "amplification", "p99"],
    rows: rows.map(({ label, success, amplification, p99Ms }) => [
      label,
      told(success, percent),
      told(amplification, times),
      told(p99Ms, duration),
    ]),
  });
}

/** A map's cells: a row for each y, the largest first as in the picture, a column for each x. */
export function mapTable({ title, xLabel, yLabel, cells }: PhaseMap): Markup {
  const ascending = (numbers: readonly number[]) => [...new Set(numbers)].toSorted((a, b) => a - b);
  const xs = ascending(cells.map(({ x }) => x));
  const ys = ascending(cells.map(({ y }) => y));
  const at = new Map(cells.map((cell) => [`${cell.x} ${cell.y}`, cell]));
  const told = (x: number, y: number): string => {
    const cell = at.get(`${x} ${y}`);
    return cell === undefined ? "–" : `${orDash(value, cell.value)}${cell.crossed === true ? " ×" : ""}`;
  };
  return table({
    caption: title,
    head: [`${yLabel} \\ ${xLabel}`, ...xs.map(value)],
    rows: ys.toReversed().map((y) => [value(y), ...xs.map((x) => told(x, y))]),
  });
}
