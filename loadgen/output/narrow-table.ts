/** Tables made narrow enough for a terminal as it usually is, which would break their lines anywhere. */
import Table, { type Cell } from "cli-table3";
import { linesOf, longestWord, TERMINAL_WIDTH, widthOf } from "./narrow-text.ts";

/** Whether a cell is the head of a part, over all columns. */
const isHead = (cell: Cell | undefined): cell is Exclude<Cell, string | number | bigint | boolean | null | undefined> =>
  typeof cell === "object" && cell !== null;

const textOf = (cell: Cell | undefined): string => String(isHead(cell) ? cell.content : (cell ?? ""));

/** Lines and spaces about `columns` of them. */
const frame = (columns: number): number => 3 * columns + 1;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

interface Column {
  readonly natural: number;
  readonly least: number;
}

/** The widths of all columns: the widest gives way first, down to its longest word. */
function widthsOf(columns: readonly Column[], width: number): number[] {
  const widths = columns.map(({ natural }) => natural);
  for (let over = sum(widths) + frame(columns.length) - width; over > 0; over -= 1) {
    const able = widths.map((own, i) => (own > (columns[i]?.least ?? 0) ? own : 0));
    const widest = able.indexOf(Math.max(...able));
    if (able[widest] === 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** Which columns stand beside each other: as many as fit, and the first `keys` before each lot. */
function lotsOf(columns: readonly Column[], keys: number, width: number): number[][] {
  const widthWith = (lot: readonly number[]): number => sum(lot.map((i) => columns[i]?.least ?? 0)) + frame(lot.length);
  const first = columns.slice(0, keys).map((_, i) => i);
  const lots: number[][] = [[...first]];
  for (let i = keys; i < columns.length; i += 1) {
    const lot = lots.at(-1) ?? [];
    if (lot.length <= keys || widthWith([...lot, i]) <= width) lot.push(i);
    else lots.push([...first, i]);
  }
  return lots;
}

export interface TableRows {
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** By column; left where nothing is said. */
  readonly aligned?: readonly ("left" | "right")[];
  /** So many columns at the left say which row it is; 1 where nothing is said. */
  readonly keys?: number;
}

function oneTable({ head, rows, aligned = [] }: TableRows, widths: readonly number[]): string {
  const fit = (text: string, i: number): string => linesOf(text, widths[i] ?? 0).join("\n");
  const whole = sum(widths) + frame(widths.length) - 4;
  const table = new Table({
    head: head.map(fit),
    colAligns: head.map((_, i) => aligned[i] ?? "left"),
    style: { head: [], border: [], compact: true },
  });
  const headOf = (cell: Cell): Cell => ({ colSpan: head.length, content: linesOf(textOf(cell), whole).join("\n") });
  for (const row of rows) table.push(isHead(row[0]) ? [headOf(row[0])] : row.map((cell, i) => fit(textOf(cell), i)));
  return table.toString();
}

/**
 * A table at most `width` wide: cells and headings are broken between words, and what is still too wide becomes several
 * tables below each other, each with the key columns. A cell that is an object is the head of a part.
 */
export function narrowTable(table: TableRows, width: number = TERMINAL_WIDTH): string {
  const { head, rows, aligned = [], keys = 1 } = table;
  const plain = rows.filter((row) => !isHead(row[0]));
  const columns = head.map((title, i) => {
    const texts = [title, ...plain.map((row) => textOf(row[i]))];
    return { natural: Math.max(...texts.map(widthOf)), least: Math.max(...texts.map(longestWord)) };
  });
  const part = (lot: readonly number[]): string => {
    const pick = <T>(from: readonly T[]): T[] => lot.map((i) => from[i] as T);
    const own = rows.map((row) => (isHead(row[0]) ? [row[0]] : pick(row)));
    const widths = widthsOf(pick(columns), width);
    return oneTable({ head: pick(head), rows: own, aligned: lot.map((i) => aligned[i] ?? "left") }, widths);
  };
  return lotsOf(columns, keys, width).map(part).join("\n");
}
