/** The cells of `bin/lab map` as grids for people and as CSV. */
import { duration, wholePercent } from "../../../loadgen/core/format.ts";
import { csvText, estimateFields, estimateHead } from "../../runs/csv.ts";
import { gridText, textTable } from "../../runs/text.ts";
import { DIP_TO, isDown, PATIENCE_S, type DipCell } from "./experiment.ts";
import type { ShortestDip } from "./shortest.ts";

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

export interface PolicyDips {
  readonly policy: string;
  readonly dips: readonly ShortestDip[];
}

const lengthText = (seconds: number | null): string => (seconds === null ? "none" : duration(seconds * 1000));

/** The shortest fatal dips of all policies side by side, a row for each load. Without a line end. */
export function shortestText(all: readonly PolicyDips[]): string {
  const head = ["requests/s", ...all.flatMap(({ policy }) => [policy, `${policy}, computed`])];
  const rows = (all[0]?.dips ?? []).map(({ load }, i) => [
    String(load),
    ...all.flatMap(({ dips }) => [lengthText(dips[i]?.triedS ?? null), lengthText(dips[i]?.computedS ?? null)]),
  ]);
  return `the shortest dip, of those tried, after which it is still down ${PATIENCE_S} s later\n${textTable(head, rows)}`;
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
