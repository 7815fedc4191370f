/**
 * `lab published`: the published lab's two runs on its own model of a backend, and what each fault of its repaired wiring
 * cost, switched off alone.
 */
import Table from "cli-table3";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { comparisonOf, type ComparedPolicy, type Comparison } from "../../runs/comparison.ts";
import {
  experimentFolder,
  runnerParts,
  saveJson,
  settingsForEach,
  type ExperimentContext,
} from "../../runs/context.ts";
import { MEASURES, type Measure } from "../../runs/measures.ts";
import { progressBar } from "../../runs/progress-bar.ts";
import { runEach, type ExperimentWorld, type NamedEnv } from "../../runs/runner.ts";

interface Wiring {
  readonly name: string;
  readonly policy: string;
  readonly settings: Readonly<Record<string, string>>;
  /** What was published. */
  readonly figures: string;
}

const DEADLINE_EVERYWHERE = { EDGE_PASS_DEADLINE: "1" };
const BUCKET_EMPTY = { BUDGET_START: "0" };
const FOLLOWS = { API_FOLLOW_CALLER: "1" };

export const WIRINGS: readonly Wiring[] = [
  {
    name: "naive",
    policy: "published-naive",
    settings: {},
    figures: "22.8 % (10 to 32), 7.30x (6.7 to 8.3), 1.88 s",
  },
  {
    name: "fixed",
    policy: "published-fixed",
    settings: {},
    figures: "76.8 % (74 to 83), 1.58x, 10 ms, 1.10 s",
  },
  {
    name: "fixed, deadline at every hop",
    policy: "published-fixed",
    settings: DEADLINE_EVERYWHERE,
    figures: "",
  },
  { name: "fixed, buckets start empty", policy: "published-fixed", settings: BUCKET_EMPTY, figures: "" },
  { name: "fixed, api stops with the edge", policy: "published-fixed", settings: FOLLOWS, figures: "" },
  {
    name: "fixed, none of the three faults",
    policy: "published-fixed",
    settings: { ...DEADLINE_EVERYWHERE, ...BUCKET_EMPTY, ...FOLLOWS },
    figures: "",
  },
];

interface WiringRun extends NamedEnv {
  readonly wiring: Wiring;
}

function runsOf(context: ExperimentContext, repeat: number, world: ExperimentWorld): WiringRun[] {
  const first = Number(context.settingsFor({})["SEED"] ?? 1);
  const wanted = WIRINGS.flatMap((wiring) =>
    Array.from({ length: repeat }, (_, i) => ({ wiring, seed: String(first + i) })),
  );
  const overrides = wanted.map(({ wiring, seed }) => ({
    ...wiring.settings,
    POLICY: wiring.policy,
    SEED: seed,
    WORLD: world,
  }));
  return settingsForEach(context, overrides).flatMap((env, i) => {
    const { wiring, seed } = wanted[i] ?? {};
    if (wiring === undefined) return [];
    return [{ wiring, env, name: `${wiring.name.replaceAll(/[^a-z]+/g, "-")}-seed-${seed}` }];
  });
}

const SHOWN: readonly Measure[] = MEASURES.filter(({ name }) =>
  ["success", "amplification", "p50", "p99"].includes(name),
);

function rowOf({ policy, metrics }: ComparedPolicy): string[] {
  const cells = SHOWN.map(({ name, text }) => {
    const { median, min, max } = metrics[name as keyof typeof metrics];
    return `${text(median)} (${text(min)} to ${text(max)})`;
  });
  const figures = WIRINGS.find(({ name }) => name === policy)?.figures ?? "";
  return [policy, ...cells, figures];
}

/** The text, without a line end. */
export function publishedText({ policies, seeds, world }: Comparison): string {
  const table = new Table({
    head: ["median (smallest to largest)", ...SHOWN.map(({ label }) => label), "published"],
    style: { head: [], border: [], compact: true },
  });
  for (const compared of policies) table.push(rowOf(compared));
  const valid = policies.reduce((sum, { validRuns }) => sum + validRuns, 0);
  const made = policies.reduce((sum, { runs }) => sum + runs, 0);
  return `${table.toString()}\n${world}, ${seeds.length} seeds, ${valid} of ${made} runs valid`;
}

/** The wirings beside each other, in the order of `WIRINGS`. */
export async function published(
  context: ExperimentContext,
  repeat: number,
  world: ExperimentWorld,
  folder: string,
): Promise<Comparison> {
  const runs = runsOf(context, repeat, world);
  const summaries: RunSummary[] = [];
  const bar = progressBar("runs", runs.length);
  try {
    await runEach(runs, runnerParts(context, world, folder), ({ wiring }, { summary }) => {
      summaries.push({ ...summary, policy: wiring.name });
      bar.step();
    });
  } finally {
    bar.end();
  }
  const place = ({ policy }: RunSummary): number => WIRINGS.findIndex(({ name }) => name === policy);
  return comparisonOf(summaries.toSorted((a, b) => place(a) - place(b)));
}

/** Runs, prints and saves. The exit code: 1 where a run was not valid. */
export async function publishedCommand(
  context: ExperimentContext,
  {
    repeat,
    world,
    json,
  }: { readonly repeat: number; readonly world: ExperimentWorld; readonly json: boolean },
): Promise<number> {
  const folder = experimentFolder(context, `published-${context.stamp}`);
  const comparison = await published(context, repeat, world, folder);
  const file = saveJson(folder, "published.json", comparison);
  context.print(json ? JSON.stringify(comparison, null, 2) : `${publishedText(comparison)}\nSaved: ${file}`);
  return comparison.policies.every(({ runs, validRuns }) => runs === validRuns) ? 0 : 1;
}
