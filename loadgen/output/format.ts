/** Numbers as a reader wants them: three digits that matter, a unit, and a word for what is not there. */

const UNKNOWN = "unknown";

const grouped = (value: number, digits: number): string =>
  value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** 0 to 1 → "25.3 %". */
export function percent(share: number | null): string {
  return share === null ? UNKNOWN : `${grouped(share * 100, 1)} %`;
}

/** 7.1175 → "7.12×". */
export function times(factor: number | null): string {
  return factor === null ? "no bound" : `${grouped(factor, 2)}×`;
}

/** Milliseconds → "1.88 s", "166 ms" or "8.4 ms". */
export function duration(ms: number | null): string {
  if (ms === null) return UNKNOWN;
  if (ms >= 1000) return `${grouped(ms / 1000, 2)} s`;
  return ms >= 100 ? `${grouped(ms, 0)} ms` : `${grouped(ms, 1)} ms`;
}

/** 1200 → "1,200". */
export function count(value: number): string {
  return grouped(value, 0);
}

/** 60 → "60/s", 0.5 → "0.5/s". */
export function rate(perSecond: number): string {
  return `${value(perSecond)}/s`;
}

/** 90 → "90", 0.25 → "0.25", 1234.5 → "1,234.5". */
export function value(number: number): string {
  return number.toLocaleString("en-US", { maximumFractionDigits: 2 });
}

/** 4 → "4 s", 4.5 → "4.5 s". */
export function seconds(s: number): string {
  return `${value(s)} s`;
}

/** ["a", "b", "c"] → "a, b and c". */
export function list(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1) ?? ""}`;
}
