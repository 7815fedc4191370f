/** A line of eight heights for the terminal: amplification second by second, at a glance. */

const HEIGHTS = "▁▂▃▄▅▆▇█";

/**
 * `values` in `width` columns or fewer: each column holds the highest of its values, for peaks are what is looked
 * for.
 */
function columns(values: readonly (number | null)[], width: number): (number | null)[] {
  const size = Math.ceil(values.length / width);
  return Array.from({ length: Math.ceil(values.length / size) }, (_, i) => {
    const measured = values.slice(i * size, (i + 1) * size).filter((value) => value !== null);
    return measured.length === 0 ? null : Math.max(...measured);
  });
}

/**
 * @param values 0 or more each; null where nothing was measured, drawn as a blank
 * @param most the value of the full height, more than 0: the same for lines that are to be compared
 * @param width the most characters that the line may take, 1 or more
 */
export function sparkline(values: readonly (number | null)[], most: number, width = 24): string {
  if (values.length === 0) return "";
  const height = (value: number): string =>
    HEIGHTS.charAt(Math.max(0, Math.min(HEIGHTS.length - 1, Math.ceil((value / most) * HEIGHTS.length) - 1)));
  return columns(values, width)
    .map((value) => (value === null ? " " : height(value)))
    .join("");
}
