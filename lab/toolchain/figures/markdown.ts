/** Tables of Markdown as cells of text: the head, then the rows. */
export type TableOfText = readonly (readonly string[])[];

const isRule = (line: string): boolean => /^\|[-:| ]+\|$/u.test(line);

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/u)
    .map((cell) => cell.trim());

/** All tables of a text, in its order. */
export function tablesOf(text: string): TableOfText[] {
  const blocks = text.split("\n").reduce<string[][]>(
    (all, line) => {
      if (line.startsWith("|")) all.at(-1)?.push(line);
      else all.push([]);
      return all;
    },
    [[]],
  );
  return blocks.filter((lines) => lines.length > 1).map((lines) => lines.filter((line) => !isRule(line)).map(cellsOf));
}

/** Without a line end. */
export function textOf([head = [], ...rows]: TableOfText): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}
