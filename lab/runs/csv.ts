/** Comma-separated values as RFC 4180 has them. */
import type { Estimate } from "./statistics.ts";

/** null: nothing was measured, and the field is empty. */
export type Field = string | number | boolean | null;

function fieldText(field: Field): string {
  const text = String(field ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @param rows each as long as `head` */
export function csvText(head: readonly string[], rows: readonly (readonly Field[])[]): string {
  return [head, ...rows].map((row) => `${row.map(fieldText).join(",")}\n`).join("");
}

/** An estimate is three columns: the median, and the ends of its interval. */
export const estimateHead = (name: string): string[] => [name, `${name}.low`, `${name}.high`];
export const estimateFields = (of: Estimate | null): Field[] =>
  [of?.median, of?.low, of?.high].map((end) => end ?? null);
