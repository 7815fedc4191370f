/** The live page as HTML: big numbers, controls, and places for the charts that its script draws. */
import type { Assets } from "../report/pages/assets.ts";
import { document } from "../report/pages/document.ts";
import { legend } from "../report/pages/figures.ts";
import * as legends from "../report/pages/legends.ts";
import { markup, Markup, type Part } from "../report/pages/markup.ts";
import { LIVE_FAULTS, type LiveFault } from "../../services/contract/faults.ts";
import { exactPercent, rate, seconds } from "../../loadgen/core/format.ts";
import type { LiveSetup } from "./model.ts";

/** A wide page with its controls in sight: it is meant to be looked at from the back of a room. */
const STYLE = `
html { font-size: 18px; }
header, main, footer { max-width: 92rem; }
header { padding-top: .4rem; }
h1 { font-size: 1.35rem; margin-bottom: .1rem; }
h2 { margin: .5rem 0 .1rem; font-size: 1.1rem; }
.numbers { margin: .4rem 0; }
.numbers div { padding: .2rem .9rem; }
.numbers dd small { font-size: .9rem; }
.charts { display: grid; grid-template-columns: 3fr 2fr; gap: 0 1.6rem; }
/* Heading, legend, chart and list side by side on the same lines, however many lines a legend takes. */
.charts section { display: grid; grid-template-rows: subgrid; grid-row: span 4; }
.legend { gap: .1rem 1rem; margin: 0; align-content: start; }
.legend svg { width: 2.4rem; }
.chart { min-height: 270px; }
.controls { display: flex; flex-wrap: wrap; gap: .2rem 1rem; align-items: end; }
fieldset { border: 2px solid var(--grid); border-radius: .4rem; padding: 0 .7rem .3rem; margin: 0; display: flex; flex-wrap: wrap; gap: .2rem .9rem; align-items: center; }
legend { color: var(--quiet); }
label { display: inline-flex; gap: .4rem; align-items: center; }
input[type=radio] { width: 1.2rem; height: 1.2rem; accent-color: var(--link); }
input[type=number] { width: 5rem; }
input, button { font: inherit; color: var(--ink); background: var(--raised); border: 2px solid var(--quiet); border-radius: .3rem; padding: .05rem .6rem; }
button { cursor: pointer; font-weight: 700; }
#trigger { border-color: var(--calls); color: var(--calls); }
button:disabled { opacity: .6; cursor: default; }
#lost, #problem { color: var(--invalid); font-weight: 700; margin: 0; }
#news { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.moments { display: flex; flex-wrap: wrap; gap: 0 1.4rem; }
@media (max-width: 60rem) { .charts { grid-template-columns: 1fr; } }
`;

function number(id: string, name: string, note: Part): Markup {
  return markup`<div><dt>${name}</dt><dd><span id="${id}">–</span><small>${note}</small></dd></div>`;
}

/** The story's own policies first, in its order; then whatever else lies in policies/. */
const TOLD_FIRST = ["naive", "budgeted", "owner"];
const inOrder = (policies: readonly string[]): string[] => [
  ...TOLD_FIRST.filter((policy) => policies.includes(policy)),
  ...policies.filter((policy) => !TOLD_FIRST.includes(policy)),
];

/** Shares are shown in percent; the script divides by data-scale. */
function faultInput(fault: LiveFault, initially: number): Markup {
  const { key, live } = fault;
  const scale = "percent" in fault ? 100 : 1;
  return markup`<label>${live.label} <input id="${key}" class="fault" type="number" data-scale="${scale}" min="${live.min * scale}" max="${live.max * scale}" step="1" value="${initially * scale}" required> ${live.unit}</label>`;
}

function controls({ policies, trigger, initial }: LiveSetup): Markup {
  const radios = inOrder(policies).map((policy) => {
    const checked = policy === initial.policy ? new Markup(" checked") : "";
    return markup`<label><input type="radio" name="policy" value="${policy}"${checked}>${policy}</label>`;
  });
  const { capacity, errorRate } = trigger.faults;
  const what = `${seconds(trigger.seconds)}: ${rate(capacity)}, ${exactPercent(errorRate)} errors`;
  return markup`<div class="controls">
<fieldset><legend>Retry policy</legend>${radios}</fieldset>
<fieldset><legend>What goes wrong</legend><button id="trigger" type="button">Trigger ${what}</button></fieldset>
<form id="faults"><fieldset><legend>The backend</legend>
${LIVE_FAULTS.map((fault) => faultInput(fault, initial.faults[fault.key] ?? 0))}
<button>Set</button></fieldset></form>
</div>
<p id="problem" role="alert"></p>
<p id="lost" role="alert" hidden>The lab has stopped, or this page has lost it. Start it again: make live</p>
<p id="news" role="status"></p>`;
}

const place = (id: string, name: string): Markup =>
  markup`<div class="chart" id="${id}" role="img" aria-label="${name}"></div>`;

function charts(): Markup {
  return markup`<div class="charts">
<section aria-labelledby="storm"><h2 id="storm">The storm</h2>${legend(legends.STORM_LEGEND)}${place("storm-chart", "Calls per second during the last minute; its last values stand in the numbers above")}
<ul class="moments" id="moments" aria-label="What changed"></ul></section>
<section aria-labelledby="by-second"><h2 id="by-second">Amplification</h2>${legend(legends.AMPLIFICATION_LEGEND)}${place("amplification-chart", "Backend calls for each request during the last minute")}</section>
</div>
<section aria-labelledby="waits"><h2 id="waits">Latency</h2>${legend(legends.BANDS_LEGEND)}${place("latency-chart", "Median and 99th percentile of the latency during the last minute")}</section>`;
}

/** The whole page, with the state that it begins with. */
export function livePage(setup: LiveSetup, { script, style }: Assets): string {
  const { initial } = setup;
  return document(
    {
      title: "Live – retry-storm testbed",
      header: markup`<h1>Retry storm, live: ${rate(initial.rate)} offered</h1>`,
      main: markup`${controls(setup)}
<dl class="numbers">
${number("amplification", "Amplification", markup`<span id="bound"></span>`)}
${number("success", "Succeed", "last 5 s")}
${number("p99", "99 % within", "last 5 s, failures included")}
${number("waiting", "Wait at the backend", markup`<span id="faults-now"></span>`)}
</dl>
${charts()}
<noscript><p>This page needs JavaScript: it shows what happens while it happens.</p></noscript>`,
      footer: markup`<p>retry-storm testbed · Ctrl-C in the terminal ends it</p>`,
      data: setup,
      connect: "'self'",
    },
    { script, style: style + STYLE },
  );
}
