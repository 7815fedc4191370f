/**
 * Where a number lies on an axis of cells. Cells stand side by side in equal width whatever their values are, so that
 * a map of 0.1, 0.2, 0.5, 1, 2, 5 has room for each; a computed edge then lies where its number lies between two of
 * them.
 */

/**
 * 0 is the middle of the first cell, 1 that of the second, and so on; straight lines between the middles. Beyond the
 * ends the last step goes on.
 * @param values of the cells, ascending, one or more
 */
export function placeAmong(values: readonly number[], value: number): number {
  const last = values.length - 1;
  if (last <= 0) return value - (values[0] ?? value);
  const after = values.findIndex((one) => one >= value);
  const upper = Math.max(1, after < 0 ? last : after);
  const [from = 0, to = 0] = [values[upper - 1], values[upper]];
  return upper - 1 + (value - from) / (to - from);
}
