/** The cells of `lab map` as grids for people and as CSV. */
import { wholePercent } from "../../../loadgen/core/format.ts";
import { csvText, estimateFields, estimateHead } from "../../runs/csv.ts";
import { gridText } from "../../runs/text.ts";
import { DIP_TO, isDown, PATIENCE_S, type DipCell } from "./experiment.ts";

/** The text, without a line end: a grid for each policy, the highest load at the top. */
export function mapText(cells: readonly DipCell[]): string {
  const policies = [...new Set(cells.map(({ policy }) => policy))];
  const grids = policies.map((policy) => {
    const own = cells.filter((cell) => cell.policy === policy);
    const across = [...new Set(own.map(({ lengthS }) => lengthS))];
    const down = [...new Set(own.map(({ load }) => load))].toReversed();
    const grid = gridText("requests/s \\ dip, s", { down, across }, (lengthS, load) => {
      const cell = own.find((one) => one.load === load && one.lengthS === lengthS);
      return cell === undefined ? "" : `${wholePercent(cell.late?.median ?? null)}${isDown(cell) ? " DOWN" : ""}`;
    });
    return `${policy}: % succeeded ${PATIENCE_S} s after a dip to ${DIP_TO} calls/s\n${grid}`;
  });
  return grids.join("\n\n");
}

export function mapCsv(cells: readonly DipCell[]): string {
  const head = ["policy", "load", "lengthS", "runs", "validRuns", "metastable", ...estimateHead("late")];
  const rows = cells.map(({ policy, load, lengthS, runs, validRuns, verdicts, late }) => [
    policy,
    load,
    lengthS,
    runs,
    validRuns,
    verdicts.metastable ?? 0,
    ...estimateFields(late),
  ]);
  return csvText(head, rows);
}
