/** The report of one run: verdict and headline first, then the storm, then everything that it rests on. */
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import type { Assets } from "./assets.ts";
import { document } from "./document.ts";
import { figure, section } from "./figures.ts";
import * as findings from "./findings.ts";
import * as legends from "./legends.ts";
import { markup, NOTHING, type Markup } from "./markup.ts";
import type { RunData } from "../data/model.ts";
import type { RunFolder } from "../data/read-run.ts";
import { reproduceCommand } from "./reproduce.ts";
import { runDataOf } from "../data/run-data.ts";
import * as tables from "./tables.ts";
import { GRADES } from "../../../loadgen/core/validity.ts";
import { count, duration, orDash, percent, rate, seconds, times, value } from "../../../loadgen/core/format.ts";

/** The grade, with each reason: a number from a broken measurement must not be quoted. */
export function verdict({ validity, invalidReasons, noisyReasons }: RunSummary): Markup {
  if (validity !== "invalid") {
    const noise = noisyReasons.length === 0 ? "" : `: ${noisyReasons.join("; ")}`;
    return markup`<p><span class="verdict valid">✓ ${GRADES[validity]}</span>${noise}</p>`;
  }
  const reasons = invalidReasons.map((reason) => markup`<li>${reason}</li>`);
  return markup`<p><span class="verdict invalid">✗ INVALID</span> Do not quote these numbers:</p>
    <ul>
      ${reasons}
    </ul>`;
}

function number(name: string, text: string, note: string): Markup {
  return markup`<div>
    <dt>${name}</dt>
    <dd>${text}<small>${note}</small></dd>
  </div>`;
}

function numbers(summary: RunSummary): Markup {
  const { amplification, amplificationBound, succeeded, clientRequests, successRate, limit, latencyMs } = summary;
  const bound = amplificationBound === null ? "nothing bounds it" : `${times(amplificationBound)} at most`;
  return markup`<dl class="numbers">
    ${number("Amplification", times(amplification), `backend calls for each request; ${bound}`)}
    ${number("Succeeded", percent(successRate), `${count(succeeded)} of ${count(clientRequests)}; limit ${percent(limit.successRate)}`)}
    ${number("Half within", duration(latencyMs.p50), "p50, failures included")}
    ${number("99 % within", duration(latencyMs.p99), "p99, failures included")}
  </dl>`;
}

function header({ summary }: RunFolder): Markup {
  const { policy, scenario, world, seed, offeredRps, durationSeconds, startedAt } = summary;
  const when = startedAt === null ? "" : ` · ${startedAt}`;
  return markup`<h1>${policy}: one request became ${orDash(value, summary.amplification)} backend calls</h1>
    <p class="quiet">
      ${rate(offeredRps)} for ${seconds(durationSeconds)} · scenario ${scenario} · world ${world} · seed
      ${seed}${when}
    </p>
    ${verdict(summary)}`;
}

function storm(data: RunData): Markup {
  const { marks } = data;
  return markup`${section(
    "The storm",
    figure({ chart: "storm", finding: findings.stormFinding(data), legend: legends.STORM_LEGEND, marks }),
    tables.folded("The storm in numbers", tables.stormTable(data)),
  )}${section(
    "Amplification, second by second",
    figure({
      chart: "amplification",
      finding: findings.amplificationFinding(data),
      legend: legends.AMPLIFICATION_LEGEND,
      marks,
    }),
  )}`;
}

function chain(data: RunData, summary: RunSummary): Markup {
  return section(
    "Amplification by hop",
    figure({ chart: "hops", finding: findings.hopsFinding(data) }),
    tables.tiersTable(summary),
    tables.defencesTable(summary),
  );
}

function latency(data: RunData, summary: RunSummary): Markup {
  const over = figure({
    chart: "latency",
    finding: findings.latencyFinding(data),
    legend: legends.LATENCY_LEGEND,
  });
  const spread = {
    chart: "distribution",
    finding: findings.distributionFinding(data),
    legend: legends.ENDINGS_LEGEND,
  };
  return markup`${section("Latency over time", over, tables.latencyTable(summary))}
  ${section("Latency as a distribution", figure(spread))}`;
}

function endings(data: RunData, summary: RunSummary): Markup {
  const attempts = {
    chart: "attempts",
    finding: findings.attemptsFinding(data),
    legend: legends.ENDINGS_LEGEND,
  };
  return markup`${section("Attempts for each request", figure(attempts))}
  ${section(
    "How it ended",
    markup`<div class="pair">${tables.outcomesTable(summary)}${tables.stopsTable(summary)}</div>`,
    tables.backendTable(summary),
  )}`;
}

function basis(run: RunFolder): Markup {
  const { summary, environment } = run;
  const command = reproduceCommand(summary, environment);
  return markup`${section("Can it be trusted?", verdict(summary), tables.generatorTable(summary))}
  ${section("Run it again", markup`<pre tabindex="0"><code>${command}</code></pre>`)}
  ${section("Effective environment", tables.environmentTable(environment))}`;
}

/** The whole page. Text of the run is escaped wherever it stands. */
export function runPage(run: RunFolder, assets: Assets): string {
  const { summary, name } = run;
  const data = runDataOf(run, summary.policy);
  const hasRecords = data.bins.length > 0;
  return document(
    {
      title: `${summary.policy}: ${times(summary.amplification)} – retry-storm testbed`,
      header: header(run),
      main: markup`<p class="lead">${findings.headline(summary)}</p>
        ${numbers(summary)}
        ${hasRecords ? storm(data) : markup`<p>This run kept no records of its requests, so nothing is drawn over time.</p>`}
        ${chain(data, summary)} ${hasRecords ? latency(data, summary) : NOTHING}
        ${hasRecords ? endings(data, summary) : NOTHING} ${basis(run)}
        <noscript
          ><p>The charts need JavaScript; their captions and the tables hold the same numbers.</p></noscript
        >`,
      footer: markup`<p>retry-storm testbed · ${name}</p>`,
      data: { runs: [data], maps: [], ablations: [] },
    },
    assets,
  );
}
