/** What the experiments' texts for people are made of. */
import { stripVTControlCharacters } from "node:util";
import type { Cell } from "cli-table3";
import { narrowTable } from "../../loadgen/output/narrow-table.ts";

/** Whether tables are being written as Markdown: true within `inMarkdown` alone, which no await can interrupt. */
let markdown = false;

/** What `text` gives, with its tables as those of Markdown and without colours. */
export function inMarkdown(text: () => string): string {
  markdown = true;
  try {
    return stripVTControlCharacters(text());
  } finally {
    markdown = false;
  }
}

/** A cell over several columns is the head of a part: bold, and alone in its row. */
function markdownCell(cell: Cell): string {
  const text = typeof cell === "object" && cell !== null ? `**${String(cell.content)}**` : String(cell);
  return text.trim().replaceAll("|", "\\|").replaceAll("\n", " ");
}

function markdownTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]): string => {
    const texts = head.map((_, i) => (i < cells.length ? markdownCell(cells[i] as Cell) : ""));
    return `| ${texts.join(" | ")} |`;
  };
  // Markdown takes what stands right above a table for its first row.
  return `\n${[line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n")}\n`;
}

/** At most 80 columns wide. A cell that is an object is the head of a part, over all columns. @param keys columns that name the row */
export function textTable(head: readonly string[], rows: readonly (readonly Cell[])[], keys = 1): string {
  if (markdown) return markdownTable(head, rows);
  return narrowTable({ head, rows, keys });
}

/** A row for each of `down`, a column for each of `across`. @param corner what the two are */
export function gridText<X extends string | number, Y extends string | number>(
  corner: string,
  { down, across }: { readonly down: readonly Y[]; readonly across: readonly X[] },
  cell: (x: X, y: Y) => string,
): string {
  const rows = down.map((y) => [String(y), ...across.map((x) => cell(x, y))]);
  return textTable([corner, ...across.map(String)], rows);
}

/** "seed 1", or "seeds 1 to 10". @param seeds ascending, one or more */
export const seedsText = (seeds: readonly number[]): string =>
  seeds.length === 1 ? `seed ${seeds[0]}` : `seeds ${seeds[0]} to ${seeds.at(-1)}`;
