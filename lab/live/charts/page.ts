/**
 * The script of the live page: draws each state that the lab sends, and sends on what the controls ask for. It keeps
 * one state, the last, so its memory does not grow.
 */
import { amplificationChart, stormChart, type StormData } from "../../report/charts/storm.ts";
import { latencyChart } from "../../report/charts/latency.ts";
import { duration, exactPercent, orDash, percent, rate, times, value } from "../../../loadgen/core/format.ts";
import type { LiveSetup, LiveState } from "../model.ts";

const KEPT_S = 60;

function element<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found as T;
}

const { initial } = JSON.parse(element("data").textContent) as LiveSetup;

/** The time axis ends now: what happened moves to the left. */
function stormData({ nowS, storm, marks }: LiveState): StormData {
  const ago = <T extends { readonly tS: number }>(one: T): T => ({ ...one, tS: one.tS - nowS });
  return {
    storm: storm.map(ago),
    marks: marks.map(ago),
    loadEndsS: Infinity,
  };
}

const widthOf = (place: HTMLElement): number => Math.floor(place.getBoundingClientRect().width);

function drawCharts(state: LiveState): void {
  const data = stormData(state);
  const span = { fromS: -KEPT_S, toS: 0, xLabel: "seconds from now", height: 270 };
  const draw = (id: string, chart: (width: number) => SVGElement): void => {
    const place = element(id);
    place.replaceChildren(chart(widthOf(place)));
  };
  draw("storm-chart", (width) => stormChart(data, { ...span, width }));
  draw("amplification-chart", (width) => amplificationChart(data, { ...span, width }));
  if (state.bands.length > 0) {
    const bands = state.bands.map((band) => ({ ...band, tS: band.tS - state.nowS }));
    draw("latency-chart", (width) => latencyChart({ bands, dots: [] }, { width, fromS: -KEPT_S, toS: 0 }));
  }
}

function write(id: string, text: string): void {
  const place = element(id);
  if (place.textContent !== text) place.textContent = text;
}

function drawNumbers({ recent, storm, policy, faults, bound }: LiveState): void {
  const waiting = storm.at(-1)?.waiting ?? null;
  write("amplification", times(recent.amplification));
  write("success", percent(recent.successRate));
  write("p99", duration(recent.p99));
  write("waiting", orDash(value, waiting));
  write("bound", bound === null ? "nothing bounds it" : `${times(bound)} at most under ${policy} in the long run`);
  write("faults-now", `it takes ${rate(faults.capacity)}, ${exactPercent(faults.errorRate)} fail`);
}

/** States that still tell of the time before the last choice: they must not undo it on the page. */
let outdated = 0;

function drawPolicy(policy: string): void {
  if (outdated > 0) {
    outdated -= 1;
    return;
  }
  for (const radio of document.querySelectorAll<HTMLInputElement>("input[name=policy]")) {
    radio.checked = radio.value === policy;
  }
}

async function choosePolicy(policy: string): Promise<void> {
  outdated = Infinity;
  await ask("/policy", { policy });
  // One may be on its way already.
  outdated = 1;
}

function drawControls({ policy, triggered, marks }: LiveState): void {
  drawPolicy(policy);
  element<HTMLButtonElement>("trigger").disabled = triggered;
  const last = marks.at(-1);
  // Only what is new is announced to a screen reader, not each second.
  if (last !== undefined) write("news", `${last.key}: ${last.text}`);
  element("moments").replaceChildren(
    ...marks.map(({ key, text }) => {
      const item = document.createElement("li");
      const letter = document.createElement("strong");
      letter.textContent = key;
      item.append(letter, ` ${text}`);
      return item;
    }),
  );
}

function draw(state: LiveState): void {
  drawNumbers(state);
  drawControls(state);
  drawCharts(state);
}

/** What the lab did not do, in one sentence or in several; all is well where there is none. */
interface Refusal {
  readonly detail?: string;
  readonly problems?: readonly string[];
}

async function ask(path: string, body: unknown): Promise<void> {
  const said = element("problem");
  try {
    const response = await fetch(path, { method: "POST", body: JSON.stringify(body) });
    const { detail = "", problems = [detail] } = (await response.json()) as Refusal;
    said.textContent = problems.join("; ");
  } catch {
    said.textContent = "The lab does not answer. Is it still running?";
  }
}

function listen(): void {
  for (const radio of document.querySelectorAll<HTMLInputElement>("input[name=policy]")) {
    radio.addEventListener("change", () => void choosePolicy(radio.value));
  }
  element("trigger").addEventListener("click", () => void ask("/trigger", {}));
  element("faults").addEventListener("submit", (event) => {
    event.preventDefault();
    const inputs = [...document.querySelectorAll<HTMLInputElement>("input.fault")];
    const faults = inputs.map(({ id, valueAsNumber, dataset }) => [id, valueAsNumber / Number(dataset["scale"])]);
    void ask("/faults", Object.fromEntries(faults));
  });
}

let last = initial;
const stream = new EventSource("/events");
stream.addEventListener("message", ({ data }: MessageEvent<string>) => {
  last = JSON.parse(data) as LiveState;
  element("lost").hidden = true;
  draw(last);
});
stream.addEventListener("error", () => {
  element("lost").hidden = false;
});
window.addEventListener("resize", () => drawCharts(last));
listen();
draw(last);
