/**
 * How a number becomes text for people: one form each for a share, a factor, a duration, a rate and a count, so that
 * a figure in the terminal is found again in the report. The lint keeps `toFixed` and `toLocaleString` out of other
 * files.
 *
 * A measured number has three digits that matter; one that somebody set has as many as it was given.
 */

/** What stands where nothing was measured. */
const NOTHING = "–";

/** `text` of a number; a dash where there is none. */
export function orDash(text: (number: number) => string, number: number | null): string {
  return number === null ? NOTHING : text(number);
}

/** 1234.567 with 1 digit → "1,234.6". */
export function fixed(number: number, digits: number): string {
  return number.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** 90 → "90", 0.25 → "0.25", 1234.5 → "1,234.5". */
export function value(number: number, mostDigits = 2): string {
  return number.toLocaleString("en-US", { maximumFractionDigits: mostDigits });
}

/** 7.11755 with 3 digits → 7.118, still a number: for files and settings. */
export function rounded(number: number, digits = 3): number {
  return Math.round(number * 10 ** digits) / 10 ** digits;
}

/** A measured share, 0 to 1 → "25.3 %". */
export function percent(share: number | null): string {
  return orDash((known) => `${fixed(known * 100, 1)} %`, share);
}

/** A number as `text` says it, with its sign: the difference of two. */
export function signed(text: (number: number) => string): (difference: number) => string {
  return (difference) => `${difference < 0 ? "−" : "+"}${text(Math.abs(difference))}`;
}

/** The size of a difference of two shares, each 0 to 1, in points of a per cent: 0.253 → "25.3 points". */
export function points(difference: number): string {
  return `${fixed(difference * 100, 1)} points`;
}

/** A share that somebody set, or the tick of an axis: 0.4 → "40 %". */
export function exactPercent(share: number): string {
  return `${value(share * 100)} %`;
}

/** A share among many others, under a head that says "%": 0.253 → "25". */
export function wholePercent(share: number | null): string {
  return orDash((known) => fixed(known * 100, 0), share);
}

/** 7.1175 → "7.12x". */
export function times(factor: number | null): string {
  return orDash((known) => `${fixed(known, 2)}x`, factor);
}

/** The most that something can come to: 9 → "9.00x"; null, where nothing bounds it → "no bound". */
export function bound(factor: number | null): string {
  return factor === null ? "no bound" : times(factor);
}

/** Measured milliseconds, or a difference of such → "12.3 s", "1.88 s", "166 ms" or "8.4 ms". */
export function duration(ms: number | null): string {
  if (ms === null) return NOTHING;
  const size = Math.abs(ms);
  if (size >= 999.5) return `${fixed(ms / 1000, size >= 100_000 ? 0 : size >= 10_000 ? 1 : 2)} s`;
  return `${fixed(ms, size >= 100 ? 0 : 1)} ms`;
}

/** Seconds that somebody set: 4 → "4 s", 4.5 → "4.5 s". */
export function seconds(s: number): string {
  return `${value(s)} s`;
}

/** 1200 → "1,200". */
export function count(number: number): string {
  return fixed(number, 0);
}

/** 60 → "60/s", 0.5 → "0.5/s". */
export function rate(perSecond: number): string {
  return `${value(perSecond)}/s`;
}

/** What lies in the middle of many values, and the ends of a range about it. */
export interface Middle {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** "14.8 % (10.0–25.3)", "901 ms (820 ms–1.16 s)", and the median alone where both ends read the same. */
export function interval(text: (number: number) => string, middleOf: Middle | null): string {
  if (middleOf === null) return NOTHING;
  const { median, low, high } = middleOf;
  const [middle, from, to] = [text(median), text(low), text(high)];
  if (from === to) return middle;
  const unit = /[^\d]*$/u.exec(middle)?.[0] ?? "";
  const isShared = from.endsWith(unit) && to.endsWith(unit);
  const bare = (end: string): string => (isShared ? end.slice(0, end.length - unit.length) : end);
  return `${middle} (${bare(from)}${low < 0 ? " to " : "–"}${bare(to)})`;
}

/** ["a", "b", "c"] → "a, b and c". */
export function list(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1) ?? ""}`;
}
