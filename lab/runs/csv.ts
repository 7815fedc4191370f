/** Comma-separated values as RFC 4180 has them. */
export type Field = string | number | boolean;

function fieldText(field: Field): string {
  const text = String(field);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @param rows each as long as `head` */
export function csvText(head: readonly string[], rows: readonly (readonly Field[])[]): string {
  return [head, ...rows].map((row) => `${row.map(fieldText).join(",")}\n`).join("");
}
