/** `part` / `whole`; null where the whole is nothing, or not known: no number is right there. */
export function ratioOf(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : part / whole;
}
