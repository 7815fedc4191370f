/** The numbers behind the pictures, as tables that a screen reader can walk through. */
import { absentHelpers } from "../../../loadgen/output/terminal.ts";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { ratioOf } from "../../../loadgen/core/ratio.ts";
import { markup, NOTHING, type Markup } from "./markup.ts";
import { ledgerOf } from "../../../loadgen/core/ledger.ts";
import type { RunData } from "../data/model.ts";
import { bound, count, duration, orDash, percent, times, value } from "../../../loadgen/core/format.ts";

export interface Table {
  readonly caption: string;
  readonly head: readonly string[];
  /** The first cell of each row names the row; all others are numbers unless `isText` says otherwise. */
  readonly rows: readonly (readonly string[])[];
  readonly isText?: boolean;
}

export function table({ caption, head, rows, isText = false }: Table): Markup {
  const kind = isText ? "" : "number";
  const heads = head.map((name, i) => markup`<th scope="col" class="${i === 0 ? "" : kind}">${name}</th>`);
  const body = rows.map(([name = "", ...cells]) => {
    const rest = cells.map((cell) => markup`<td class="${kind}">${cell}</td>`);
    return markup`<tr>
      <th scope="row">${name}</th>
      ${rest}
    </tr>`;
  });
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${caption}">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${heads}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`;
}

/** A table that is there for who wants it, and folded away from who does not. */
export function folded(summary: string, content: Markup): Markup {
  return markup`<details>
    <summary>${summary}</summary>
    ${content}
  </details>`;
}

/** A space that a browser keeps. */
const INDENT = "\u2003";

const share = (part: number, whole: number): string => percent(ratioOf(part, whole));

/** Counters as "12 (1.0 %)", the largest first; those at zero are left out. */
function tally(
  counts: Readonly<Partial<Record<string, number>>>,
  whole: number,
): (readonly [string, string, string])[] {
  return Object.entries(counts)
    .map(([name, n = 0]) => [name, n] as const)
    .filter(([, n]) => n > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name, n]) => [name.replaceAll("_", " "), count(n), share(n, whole)]);
}

export function outcomesTable({ outcomes, clientRequests }: RunSummary): Markup {
  const rows = tally(outcomes, clientRequests);
  return table({ caption: "How the client requests ended", head: ["outcome", "requests", "share"], rows });
}

export function stopsTable({ stopReasons, clientRequests }: RunSummary): Markup {
  const rows = tally(stopReasons, clientRequests);
  if (rows.length === 0) return NOTHING;
  return table({ caption: "Why the first hop stopped trying", head: ["reason", "requests", "share"], rows });
}

export function tiersTable({ tiers }: RunSummary): Markup {
  const rows = Object.entries(tiers).map(([name, tier]) => [
    name,
    count(tier.arrivals),
    name === "backend" ? "–" : count(tier.attempts),
    name === "backend" ? "–" : times(ratioOf(tier.attempts, tier.arrivals)),
    name === "backend" ? "–" : bound(tier.bound),
    count(tier.unsent),
    count(tier.lost),
    percent(tier.cpuShare),
  ]);
  const head = ["tier", "arrivals", "attempts", "attempts / arrival", "bound", "unsent", "lost", "CPU of a core"];
  const absent = absentHelpers(tiers).map((line) => markup`<p>${line.trim()}.</p>`);
  return markup`${table({ caption: "What each tier counted", head, rows })}${absent}`;
}

/** What a hop did beside retrying; nothing where no hop sheds or sends second copies. */
export function defencesTable({ tiers }: RunSummary): Markup {
  const rows = Object.entries(tiers).flatMap(([name, { stopReasons, hedged }]) => {
    const { shed = 0 } = stopReasons;
    if (shed === 0 && hedged === undefined) return [];
    const { sent, won, suppressed, denied } = hedged ?? { sent: 0, won: 0, suppressed: 0, denied: 0 };
    return [[name, ...[shed, sent, won, suppressed, denied].map(count)]];
  });
  if (rows.length === 0) return NOTHING;
  const head = ["tier", "shed", "second copies", "won", "held back by overload", "denied by the budget"];
  return table({ caption: "Requests shed and second copies sent", head, rows });
}

/** The rows down to "all calls" add up. What is indented is a part of the row above it. What never happened is left out. */
export function backendTable(run: RunSummary): Markup {
  const { backend, wastedBackendCalls, backendCalls } = run;
  const row = (name: string, n: number): string[] => [name, count(n), share(n, backendCalls)];
  const ledger = ledgerOf(run).filter(({ calls }) => calls > 0);
  const rows = ledger.flatMap(({ name, calls, parts }) => [
    row(name, calls),
    ...parts.filter((part) => part.calls > 0).map((part) => row(`${INDENT}${part.name}`, part.calls)),
  ]);
  const totals = [row("all calls", backendCalls), row("wasted in all: the caller had gone", wastedBackendCalls)];
  const effects = run.effects > 0 ? [["writes done", count(run.effects), "–"]] : [];
  const twice = run.effects > 0 ? [["writes done more than once", count(run.duplicateEffects), "–"]] : [];
  const queue = [["longest queue", count(backend.longestQueue), "–"]];
  const head = ["what became of the calls", "calls", "share"];
  return table({ caption: "The backend's ledger", head, rows: [...rows, ...totals, ...queue, ...effects, ...twice] });
}

export function latencyTable({ latencyMs: { p50, p90, p99, p999, max } }: RunSummary): Markup {
  return table({
    caption: "Latency of all client requests, from the time each was due, failures included",
    head: ["", "p50", "p90", "p99", "p99.9", "longest"],
    rows: [["latency", ...[p50, p90, p99, p999, max].map(duration)]],
  });
}

export function generatorTable({ generator }: RunSummary): Markup {
  const { mode, scheduled, sent, dropped, late, lateP99Ms, lateMaxMs, cpuShare } = generator;
  const rows = [
    ["kind", mode === "open" ? "open loop: sends when it is due" : "closed loop: waits for answers"],
    ["scheduled", count(scheduled)],
    ["sent", count(sent)],
    ["dropped", count(dropped)],
    ["sent more than 5 ms late", count(late)],
    ["lateness, 99th percentile", duration(lateP99Ms)],
    ["lateness, longest", duration(lateMaxMs)],
    ["CPU of a core", percent(cpuShare)],
  ];
  return table({
    caption: "How well the generator kept its schedule",
    head: ["", "value"],
    rows,
    isText: true,
  });
}

export function environmentTable(environment: readonly (readonly [string, string])[]): Markup {
  if (environment.length === 0) return markup`<p>This run wrote no effective environment.</p>`;
  return table({
    caption: "Every knob as this run saw it",
    head: ["knob", "value"],
    rows: environment.map(([name, text]) => [name, text === "" ? "(empty)" : text]),
    isText: true,
  });
}

/** The chart's own numbers, second by second. */
export function stormTable({ storm }: RunData): Markup {
  const cell = (number: number | null): string => orDash(value, number);
  return table({
    caption: "The storm in numbers, per second",
    head: ["second", "offered", "backend calls", "good answers", "capacity", "calls for each request", "waiting"],
    rows: storm.map(({ tS, offered, calls, good, capacity, perRequest, waiting }) => [
      value(tS),
      ...[offered, calls, good, capacity, perRequest, waiting].map(cell),
    ]),
  });
}
