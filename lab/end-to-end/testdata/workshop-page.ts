/**
 * What a page of the workshop asks to be typed, and what it says comes of it. The pages are the source of their own test,
 * so that no expected number stands anywhere else.
 *
 *     ```sh
 *     make break WORLD=virtual        one command, continued by "\" where it is long
 *     ```
 *     | what | band |                 what it should give; without such a table it only has to be a command
 *     |---|---|
 *     | succeeded | 5 to 30 % |       or one exact value: 27x
 */

export type Unit = "%" | "x" | "ms" | "calls" | "writes";

export interface Band {
  readonly measure: string;
  readonly low: number;
  readonly high: number;
  readonly unit: Unit;
  /** As the page has it. */
  readonly text: string;
}

export interface Experiment {
  /** On one line. */
  readonly command: string;
  readonly bands: readonly Band[];
}

export interface Section {
  readonly title: string;
  /** All of it, without the heading's "## ". */
  readonly text: string;
  readonly experiments: readonly Experiment[];
}

const ROW = /^\|([^|]+)\|([^|]+)\|$/u;
const BAND = /^(\d+(?:\.\d+)?)(?: to (\d+(?:\.\d+)?))? ?(%|x|ms|s|calls|writes)$/u;
const HEAD = new Set(["what", "---"]);

/** @throws Error that names the row, when its second cell is no band */
function bandOf(row: string): Band[] {
  const [, measure = "", text = ""] = (ROW.exec(row) ?? []).map((cell) => cell.trim());
  if (measure === "" || HEAD.has(measure)) return [];
  const [, low, high = low, unit] = BAND.exec(text) ?? [];
  if (unit === undefined || Number(low) > Number(high)) {
    throw new Error(`"${row}": a band is "27x", or "5 to 30 %" with the lower end first.`);
  }
  const factor = unit === "s" ? 1000 : 1;
  const base = unit === "s" ? "ms" : (unit as Unit);
  return [{ measure, low: Number(low) * factor, high: Number(high) * factor, unit: base, text }];
}

/** @param block from a fence's first line on, up to the next fence for a command */
function experimentOf(block: string): Experiment {
  const [command = "", after = ""] = block.split(/^```$/mu);
  return { command: command.replaceAll(/\\\n\s*/gu, "").trim(), bands: after.split("\n").flatMap(bandOf) };
}

/** The sections of a page, in order. @throws Error when a table behind a command is not made of bands */
export function sectionsOf(page: string): Section[] {
  const parts = page.split(/^## /mu).slice(1);
  return parts.map((text) => {
    const blocks = text.split(/^```sh\n/mu).slice(1);
    return { title: text.split("\n", 1)[0] ?? "", text, experiments: blocks.map(experimentOf) };
  });
}

/** What is wrong with `value`, in words; undefined when it lies in the band, both ends included. */
export function outside({ measure, low, high, unit, text }: Band, value: number): string | undefined {
  // Sums of fractions: a share of exactly 90 % may come as 90.00000000000001.
  const shown = Number(value.toFixed(6));
  if (shown >= low && shown <= high) return undefined;
  return `${measure} is ${Number(value.toFixed(2))} ${unit}, the page says ${text}`;
}
