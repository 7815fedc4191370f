/** The report of several runs beside each other: which policy came how near to the limit, and at what price. */
import type { Assets } from "./assets.ts";
import { document } from "./document.ts";
import { extraSections, type Extras } from "./extras.ts";
import { figure, section } from "./figures.ts";
import * as findings from "./findings.ts";
import * as legends from "./legends.ts";
import { markup, NOTHING, type Markup } from "./markup.ts";
import type { RunData } from "../data/model.ts";
import type { RunFolder } from "../data/read-run.ts";
import { reproduceCommand } from "./reproduce.ts";
import { labelsOf, runDataOf } from "../data/run-data.ts";
import { verdict } from "./run-page.ts";
import * as tables from "./tables.ts";
import { GRADES } from "../../../loadgen/core/validity.ts";
import { bound, count, duration, list, percent, times } from "../../../loadgen/core/format.ts";

function ladder(runs: readonly RunData[]): Markup {
  return section(
    "The ladder",
    markup`<div class="pair">
      <div>
        <h3>Share of requests that succeeded</h3>
        ${figure({ chart: "ladder", finding: findings.ladderFinding(runs), legend: legends.LADDER_LEGEND })}
      </div>
      <div>
        <h3>What it cost the backend</h3>
        ${figure({ chart: "cost", finding: findings.costFinding(runs), legend: legends.COST_LEGEND })}
      </div>
    </div>`,
  );
}

function overTime(runs: readonly RunData[]): Markup {
  const labels = runs.map(({ label }) => label);
  const calls = {
    chart: "storms",
    finding: findings.stormsFinding(runs),
    legend: legends.seriesLegend(labels, "capacity"),
  };
  const each = {
    chart: "amplifications",
    finding: findings.worstSecondsFinding(runs),
    legend: legends.seriesLegend(labels, "needed"),
  };
  const answered = {
    chart: "answered",
    finding: findings.tailsFinding(runs),
    legend: legends.seriesLegend(labels, "limit"),
  };
  return markup`${section("The storm under each policy", figure(calls))}
  ${section("Amplification, second by second", figure(each))}
  ${section("Good answers, by when", figure(answered))}`;
}

function numbers(runs: readonly RunFolder[], labels: readonly string[]): Markup {
  const head = [
    "policy",
    "succeeded",
    "of the limit",
    "amplification",
    "bound",
    "p50",
    "p99",
    "backend calls",
    "wasted",
    "verdict",
  ];
  const rows = runs.map(({ summary: run }, i) => [
    labels[i] ?? run.policy,
    percent(run.successRate),
    percent(run.goodputOfLimit),
    times(run.amplification),
    bound(run.amplificationBound),
    duration(run.latencyMs.p50),
    duration(run.latencyMs.p99),
    count(run.backendCalls),
    count(run.wastedBackendCalls),
    GRADES[run.validity],
  ]);
  return section("In numbers", tables.table({ caption: "The runs side by side", head, rows }));
}

/** Knobs whose values differ between the runs: what was varied. */
export function differences(runs: readonly RunFolder[]): { name: string; values: (string | undefined)[] }[] {
  const environments = runs.map(({ environment }) => new Map(environment));
  const names = [...new Set(environments.flatMap((environment) => [...environment.keys()]))];
  return names
    .map((name) => ({ name, values: environments.map((environment) => environment.get(name)) }))
    .filter(({ values }) => new Set(values).size > 1);
}

function varied(runs: readonly RunFolder[], labels: readonly string[]): Markup {
  const rows = differences(runs).map(({ name, values }) => [name, ...values.map((text) => text ?? "–")]);
  if (rows.length === 0) return section("What differs", markup`<p>The runs' environments are the same.</p>`);
  const caption = "The knobs that differ between the runs; all others are the same";
  return section("What differs", tables.table({ caption, head: ["knob", ...labels], rows, isText: true }));
}

function basis(runs: readonly RunFolder[], labels: readonly string[]): Markup {
  const each = runs.map(
    ({ summary }, i) =>
      markup`<h3>${labels[i] ?? summary.policy}</h3>
        ${verdict(summary)}`,
  );
  const commands = runs.map(({ summary, environment }) => `${reproduceCommand(summary, environment)}\n`);
  return markup`${section("Can it be trusted?", each)}
  ${section("Run them again", markup`<pre tabindex="0"><code>${commands}</code></pre>`)}`;
}

/** What must be known before anything is read: a comparison with an invalid run proves nothing. */
function invalidRuns(runs: readonly RunFolder[], labels: readonly string[]): Markup {
  const names = labels.filter((_, i) => runs[i]?.summary.valid === false);
  if (names.length === 0) return NOTHING;
  return markup`<p><span class="verdict invalid">✗ INVALID: ${list(names)}</span> Do not quote this comparison. What is grey was not measured well enough; the reasons are at its end.</p>`;
}

/** The whole page. `runs` holds one run or more, in the order in which they are to be shown. */
export function comparisonPage(runs: readonly RunFolder[], assets: Assets, extras: Extras = {}): string {
  const labels = labelsOf(runs.map(({ summary }) => summary));
  const data = runs.map((run, i) => {
    const label = labels[i] ?? run.name;
    return runDataOf(run, run.summary.valid ? label : `${label} (INVALID)`);
  });
  return document(
    {
      title: `${list(labels)} – retry-storm testbed`,
      header: markup`<h1>${list(labels)}, side by side</h1>
        ${invalidRuns(runs, labels)}`,
      main: markup`<p class="lead">${findings.ladderFinding(data)}</p>
        ${ladder(data)} ${overTime(data)} ${numbers(runs, labels)} ${extraSections(extras)}
        ${varied(runs, labels)} ${basis(runs, labels)}
        <noscript
          ><p>The charts need JavaScript; their captions and the tables hold the same numbers.</p></noscript
        >`,
      footer: markup`<p>retry-storm testbed · ${list(runs.map(({ name }) => name))}</p>`,
      data: {
        runs: data.map((run) => ({ ...run, dots: [] })),
        maps: extras.maps ?? [],
        ablations: extras.ablations ?? [],
      },
    },
    assets,
  );
}
