import assert from "node:assert/strict";

/**
 * A figure of which something was measured. To be compared by `<`, which takes the null of "nothing was measured" for a 0,
 * and lets it pass.
 */
export function measured(figure: number | null | undefined): number {
  assert.ok(typeof figure === "number" && !Number.isNaN(figure), "nothing was measured");
  return figure;
}
