/** The cells of `lab map` as grids for people and as CSV. */
import { wholePercent } from "../../../loadgen/core/format.ts";
import Table from "cli-table3";
import { csvText } from "../../runs/csv.ts";
import { DIP_TO, isDown, PATIENCE_S, type DipCell } from "./experiment.ts";

/** The text, without a line end: a grid for each policy, the highest load at the top. */
export function mapText(cells: readonly DipCell[]): string {
  const policies = [...new Set(cells.map(({ policy }) => policy))];
  const grids = policies.map((policy) => {
    const own = cells.filter((cell) => cell.policy === policy);
    const lengths = [...new Set(own.map(({ lengthS }) => lengthS))];
    const table = new Table({
      head: ["requests/s \\ dip, s", ...lengths.map(String)],
      style: { head: [], border: [], compact: true },
    });
    for (const load of [...new Set(own.map((cell) => cell.load))].toReversed()) {
      const row = own.filter((cell) => cell.load === load);
      table.push([
        String(load),
        ...row.map((cell) => `${wholePercent(cell.late.median)}${isDown(cell) ? " DOWN" : ""}`),
      ]);
    }
    return `${policy}: % succeeded ${PATIENCE_S} s after a dip to ${DIP_TO} calls/s\n${table.toString()}`;
  });
  return grids.join("\n\n");
}

export function mapCsv(cells: readonly DipCell[]): string {
  const head = [
    "policy",
    "load",
    "lengthS",
    "runs",
    "validRuns",
    "metastable",
    "late",
    "late.low",
    "late.high",
  ];
  const rows = cells.map(({ policy, load, lengthS, runs, validRuns, verdicts, late }) => [
    policy,
    load,
    lengthS,
    runs,
    validRuns,
    verdicts.metastable ?? 0,
    late.median,
    late.low,
    late.high,
  ]);
  return csvText(head, rows);
}
