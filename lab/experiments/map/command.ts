/** `lab map`: runs, prints and saves. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Table from "cli-table3";
import { ConfigError } from "../../../services/settings/values.ts";
import { parseAxis } from "../../runs/axes.ts";
import { experimentFolder, saveJson, type ExperimentContext } from "../../runs/context.ts";
import { csvText } from "../../runs/csv.ts";
import { savePage } from "../../runs/experiment-page.ts";
import { isDown, tippingMaps } from "./page.ts";
import { capacityOf, DIP_TO, PATIENCE_S, tipping, type TippingCell } from "./experiment.ts";
import { wholePercent } from "../../../loadgen/core/format.ts";

export interface MapCommand {
  readonly policies: readonly string[];
  /** As they were typed: 10..80:10 */
  readonly loads: string;
  readonly lengths: string;
  readonly repeat: number;
  readonly json: boolean;
}

/** A longer dip is a slip: each run would take hours of virtual time. */
const LONGEST_S = 600;
const MOST_RUNS = 5000;

/** Ascending. @throws ConfigError with the faults of both */
export function mapAxesOf({
  loads,
  lengths,
  policies,
  repeat,
}: MapCommand): Record<"loads" | "lengths", number[]> {
  const faults: string[] = [];
  const numbers = (option: string, text: string, least: number, most: number): number[] => {
    const axis = parseAxis(`VALUES=${text}`);
    if (typeof axis === "string") faults.push(axis.replace("--vary VALUES=", `${option} `));
    const values = typeof axis === "string" ? [] : axis.values.map(Number);
    const wrong = values.filter((value) => !(value >= least && value <= most));
    if (wrong.length > 0) faults.push(`${option} ${text}: numbers from ${least} to ${most} are needed.`);
    return values.toSorted((a, b) => a - b);
  };
  const axes = {
    loads: numbers("--load", loads, 0.1, 100_000),
    lengths: numbers("--length", lengths, 0.01, LONGEST_S),
  };
  const runs = axes.loads.length * axes.lengths.length * policies.length * repeat;
  if (runs > MOST_RUNS)
    faults.push(`--load, --length, --repeat: that is ${runs} runs; at most ${MOST_RUNS} are made.`);
  if (faults.length > 0) throw new ConfigError(faults);
  return axes;
}

/** The text, without a line end: a grid for each policy, the highest load at the top. */
export function mapText(cells: readonly TippingCell[]): string {
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

function mapCsv(cells: readonly TippingCell[]): string {
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

/** The exit code: 1 where a run was not valid. @throws ConfigError with every fault */
export async function mapCommand(context: ExperimentContext, command: MapCommand): Promise<number> {
  const { policies, repeat, json } = command;
  const { loads, lengths } = mapAxesOf(command);
  const first = Number(context.settingsFor({})["SEED"] ?? 1);
  const seeds = Array.from({ length: repeat }, (_, i) => first + i);
  const cells = await tipping(context, { policies: [...new Set(policies)], loads, lengths, seeds });
  const folder = experimentFolder(context, `map-${context.stamp}`);
  const maps = tippingMaps(context, capacityOf(context), cells);
  const file = saveJson(folder, "map.json", {
    schema: 1,
    dipTo: DIP_TO,
    patienceS: PATIENCE_S,
    seeds,
    cells,
  });
  saveJson(folder, "maps.json", maps);
  writeFileSync(join(folder, "map.csv"), mapCsv(cells));
  const page = await savePage(context, folder, {
    title: "How long a dip is fatal",
    lead: `The capacity falls to ${DIP_TO} calls per second for a while and comes back; the load stays. Who is still down ${PATIENCE_S} s later?`,
    words: [
      "map",
      ...policies,
      "--load",
      command.loads,
      "--length",
      command.lengths,
      "--repeat",
      String(repeat),
    ],
    maps,
  });
  const findings = maps.map(({ title, finding }) => `${title}: ${finding}`).join("\n");
  context.print(
    json
      ? JSON.stringify({ cells, maps }, null, 2)
      : `${mapText(cells)}\n\n${findings}\nSaved: ${file}, map.csv and maps.json\nThe page: ${page}`,
  );
  return cells.every(({ runs, validRuns }) => runs === validRuns) ? 0 : 1;
}
