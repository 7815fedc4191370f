/** Sentences made narrow enough for a terminal as it usually is, which would break them anywhere. */
import { stripVTControlCharacters } from "node:util";

/** Columns of a terminal as it usually is. */
export const TERMINAL_WIDTH = 80;

/** Columns that `text` takes; what colours it takes none. */
export const widthOf = (text: string): number => stripVTControlCharacters(text).length;

/** What is parted nowhere: a number keeps its unit, and both sides of a stroke stay together. */
const wordsOf = (text: string): string[] => text.trim().split(/(?<! \/) (?!\/ |(?:%|ms|s|points)(?![a-z]))/u);

const indentOf = (text: string): string => /^ */u.exec(stripVTControlCharacters(text))?.[0] ?? "";

/** The lines of `text`, broken between words and indented as its first is. A longer word has a line of its own. */
export function linesOf(text: string, width: number): string[] {
  if (widthOf(text) <= width) return [text];
  const indent = indentOf(text);
  const [first = "", ...words] = wordsOf(text);
  const lines = [text.startsWith(" ") ? indent + first : first];
  for (const word of words) {
    const longer = `${lines.at(-1) ?? ""} ${word}`;
    if (widthOf(longer) <= width) lines.splice(-1, 1, longer);
    else lines.push(indent + word);
  }
  return lines;
}

/** Each line of `text` that is too long, as several. */
export const narrowText = (text: string, width: number = TERMINAL_WIDTH): string =>
  text
    .split("\n")
    .flatMap((line) => linesOf(line, width))
    .join("\n");

/** Columns of what is not broken. */
export const longestWord = (text: string): number => widthOf(indentOf(text)) + Math.max(...wordsOf(text).map(widthOf));
