/**
 * The tables of a page that a command makes. A comment above each says which, and what is taken of its table:
 *
 *     <!-- figures: bin/lab compare naive owner --repeat 10 \
 *       CAPACITY=120
 *     table: 2                       the second that the command prints; the first where nothing is said
 *     rows: succeeded; p50           by their first cell, in this order; all where nothing is said
 *     columns: naive; owner          by their heads, besides the first; all where nothing is said
 *     -->
 *     …
 *     <!-- /figures -->
 *
 * Or one row for each of several commands that differ in what stands behind the first line, each of which makes a table of
 * two columns. The head of the first column comes first:
 *
 *     <!-- figures: bin/lab compare naive --repeat 10
 *     head: at the api
 *     columns: succeeded; p50
 *     row: nothing
 *     row: 4 at once: API_ADMISSION=fixed API_ADMISSION_LIMIT=4
 *     -->
 */
import { tablesOf, textOf, type TableOfText } from "./markdown.ts";

export interface FigureRow {
  readonly label: string;
  readonly command: string;
}

export interface Figure {
  /** All lines of the comment: which figure it is. */
  readonly order: string;
  readonly command: string;
  readonly table: number;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly head: string;
  /** One command for each; none: the command makes the whole table. */
  readonly each: readonly FigureRow[];
}

const BLOCK = /^<!-- figures: ([^]*?)-->\n([^]*?)^<!-- \/figures -->$/gmu;
const LINE = /^(table|rows|columns|head|row): (.+)$/u;

const names = (text: string): string[] => text.split(";").map((name) => name.trim());

/** @throws Error that names the line, when the comment cannot be understood */
export function figureOf(comment: string): Figure {
  const [command = "", ...lines] = comment
    .replaceAll(/\\\n\s*/gu, "")
    .trim()
    .split("\n");
  const said = lines.map((line) => {
    const [, key = "", text = ""] = LINE.exec(line) ?? [];
    if (key === "")
      throw new Error(`"${line}": table, rows, columns, head or row is needed, and a text after the colon`);
    return { key, text: text.trim() };
  });
  const one = (key: string): string | undefined => said.find((line) => line.key === key)?.text;
  const listed = (key: string): string[] => said.filter((line) => line.key === key).flatMap(({ text }) => names(text));
  const each = said
    .filter(({ key }) => key === "row")
    .map(({ text }) => {
      const [label = "", settings = ""] = text.split(/: (?=[A-Z])/u);
      return { label, command: `${command} ${settings}`.trim() };
    });
  const table = Number(one("table") ?? 1);
  return {
    order: comment.trim(),
    command: command.trim(),
    table,
    rows: listed("rows"),
    columns: listed("columns"),
    head: one("head") ?? "",
    each,
  };
}

export const commandsOf = ({ command, each }: Figure): string[] =>
  each.length === 0 ? [command] : each.map((row) => row.command);

/** In the order of the page. */
export const figuresOf = (page: string): Figure[] =>
  [...page.matchAll(BLOCK)].map(([, comment = ""]) => figureOf(comment));

function placeOf(wanted: string, there: readonly string[], figure: Figure): number {
  const place = there.indexOf(wanted);
  if (place >= 0) return place;
  throw new Error(`${figure.command} gives no "${wanted}"; there are: ${there.join("; ")}`);
}

function chosen([head = [], ...rows]: TableOfText, figure: Figure): TableOfText {
  const labels = rows.map(([label = ""]) => label);
  const kept = figure.rows.length === 0 ? rows : figure.rows.map((row) => rows[placeOf(row, labels, figure)] ?? []);
  if (figure.columns.length === 0) return [head, ...kept];
  const places = [0, ...figure.columns.map((column) => placeOf(column, head, figure))];
  return [head, ...kept].map((cells) => places.map((place) => cells[place] ?? ""));
}

/** The table of one command. @param printed what the command prints with --markdown */
function tableOf(figure: Figure, printed: string): TableOfText {
  const tables = tablesOf(printed);
  const table = tables[figure.table - 1];
  if (table === undefined) throw new Error(`${figure.command} prints ${tables.length} tables, not ${figure.table}`);
  return table;
}

/** A row for each command, a column for each row of their tables. */
function stacked(figure: Figure, printed: (command: string) => string): TableOfText {
  const rows = figure.each.map(({ label, command }) => ({ label, table: tableOf(figure, printed(command)).slice(1) }));
  const measures = rows[0]?.table.map(([measure = ""]) => measure) ?? [];
  return [
    [figure.head, ...measures],
    ...rows.map(({ label, table }) => [label, ...table.map((cells) => cells[1] ?? "")]),
  ];
}

const COLUMNS = 120;

const wrapped = (text: string): string =>
  text.split(" ").reduce((lines, word) => {
    const isFull = (lines.split("\n").at(-1) ?? "").length + 1 + word.length > COLUMNS;
    return `${lines}${isFull ? "\n" : " "}${word}`;
  });

/** Where the numbers come from, for whoever reads the page. */
function originOf({ command, each }: Figure): string {
  const from = `Written by \`npm run docs:figures\` from \`${command}\``;
  return wrapped(`*${from}${each.length === 0 ? "" : "; what each row adds stands in this page's source"}.*`);
}

/** The lines between the marks. @param printed what a command prints with --markdown */
function linesOf(figure: Figure, printed: (command: string) => string): string {
  const table = figure.each.length === 0 ? tableOf(figure, printed(figure.command)) : stacked(figure, printed);
  return `${textOf(chosen(table, figure))}\n\n${originOf(figure)}\n`;
}

export interface Renewed {
  readonly page: string;
  /** Those whose lines are others now. */
  readonly stale: readonly Figure[];
}

/** The page with all its figures as they are now. */
export function renewed(page: string, printed: (command: string) => string): Renewed {
  const stale: Figure[] = [];
  const text = page.replaceAll(BLOCK, (_, comment: string, before: string) => {
    const figure = figureOf(comment);
    const body = linesOf(figure, printed);
    if (body !== before) stale.push(figure);
    return `<!-- figures: ${comment}-->\n${body}<!-- /figures -->`;
  });
  return { page: text, stale };
}
