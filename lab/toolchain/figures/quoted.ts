/**
 * The numbers in a page's sentences. Where a command makes a table of the page, a number that a sentence gives has to stand in
 * a table of that page, as it is written there. So a sentence is noticed when its table has changed.
 *
 * What no table has (an input, arithmetic, a number of another page) is listed, or stands between two marks:
 *
 *     <!-- given: 40 %; 1.44x; 500 ms -->
 *     <!-- given -->  On paper, 0.9 · 60 = 54 …  <!-- /given -->
 *
 * One digit alone, and whole seconds, are inputs or words nearly always, and pass.
 */
import { figuresOf } from "./blocks.ts";

const NUMBER = /(?<![\w.,/·–-])\d[\d,]*(?:\.\d+)?(?: ?(?:%|x|ms|s|points))?(?![\w/-]|[.,]\d)/gu;
const PASSES = /^(?:\d|\d+s)$/u;
const GIVEN = /<!-- given: ([^]*?)-->/gu;
const HIDDEN = [
  /<!-- given -->[^]*?<!-- \/given -->/gu,
  /<!--[^]*?-->/gu,
  /^```[^]*?^```$/gmu,
  /^ {4}.*$/gmu,
  /`[^`]*`/gu,
  /\]\([^)]*\)/gu,
  /\d{4}-\d\d-\d\d/gu,
];

const spaced = (number: string): string => number.replaceAll(/\s/gu, "").replace(/,$/u, "");
const numbersIn = (text: string): string[] => (text.match(NUMBER) ?? []).map(spaced);

/** Numbers of a cell, with the unit that a range has only once, and without. */
function inCell(cell: string): string[] {
  const bare = (cell.match(/\d[\d,]*(?:\.\d+)?/gu) ?? []).map(spaced);
  const units = new Set(cell.match(/%|(?<=\d)x|\bms\b|\bs\b/gu) ?? []);
  return bare.flatMap((number) => [number, ...[...units].map((unit) => number + unit)]);
}

/** "page.md:12: 85.2%", for each number of a sentence that no table of the page has. */
export function unfounded(path: string, page: string): string[] {
  if (figuresOf(page).length === 0) return [];
  const given = [...page.matchAll(GIVEN)].flatMap(([, listed = ""]) => listed.split(";").map(spaced));
  const blank = (text: string): string => text.replaceAll(/[^\n]/gu, " ");
  const prose = HIDDEN.reduce((text, hidden) => text.replaceAll(hidden, blank), page).split("\n");
  const cells = prose.filter((line) => line.startsWith("|")).flatMap((line) => line.split("|"));
  const known = new Set([...given, ...cells.flatMap((cell) => inCell(cell))]);
  return prose.flatMap((line, i) => {
    if (line.startsWith("|")) return [];
    // A number and its unit may stand on two lines.
    const [unit = ""] = /^(?:%|ms|s|points)(?!\w)/u.exec(prose[i + 1] ?? "") ?? [];
    const numbers = numbersIn(/\d$/u.test(line) && unit !== "" ? `${line} ${unit}` : line);
    return numbers
      .filter((number) => !PASSES.test(number) && !known.has(number))
      .map((number) => `${path}:${i + 1}: ${number}`);
  });
}
