/**
 * The script of a report page: draws each `[data-chart]` from the JSON in the page, and again when its width changes.
 * A chart's place says what belongs there: data-chart="storm" data-index="0".
 */
import type { PageData } from "../data/model.ts";
import { attemptsChart, costChart, hopsChart, ladderChart } from "./bars.ts";
import { seriesLook } from "../data/looks.ts";
import { answeredChart, distributionChart, latencyChart } from "./latency.ts";
import { ablationChart, phaseMapChart } from "./maps.ts";
import { amplificationsChart, stormsChart } from "./policies.ts";
import { amplificationChart, stormChart } from "./storm.ts";

type Size = { readonly width: number };
type Draw = (data: PageData, index: number, size: Size) => SVGElement;

const ofRun =
  (draw: (run: PageData["runs"][number], size: Size) => SVGElement): Draw =>
  ({ runs }, index, size) =>
    draw(present(runs[index]), size);

const CHARTS: Readonly<Record<string, Draw>> = {
  storm: ofRun(stormChart),
  amplification: ofRun(amplificationChart),
  hops: ofRun(hopsChart),
  latency: ofRun(latencyChart),
  distribution: ofRun(distributionChart),
  attempts: ofRun(attemptsChart),
  ladder: ({ runs }, _, size) => ladderChart(runs, size),
  cost: ({ runs }, _, size) => costChart(runs, size),
  storms: ({ runs }, _, size) => stormsChart(runs, size),
  amplifications: ({ runs }, _, size) => amplificationsChart(runs, size),
  answered: ({ runs }, _, size) => answeredChart(runs, size, seriesLook),
  map: ({ maps }, index, size) => phaseMapChart(present(maps[index]), size),
  ablation: ({ ablations }, index, size) => ablationChart(present(ablations[index]), size),
};

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the page has a place for a chart and no data for it");
  return value;
}

/** Paper is narrower than most screens: a chart drawn for it stays readable in print. */
const PRINT_WIDTH = 980;

function place(element: HTMLElement, data: PageData): void {
  const draw = present(CHARTS[element.dataset["chart"] ?? ""]);
  const index = Number(element.dataset["index"] ?? 0);
  let width = 0;
  const redraw = (next: number): void => {
    if (next === width || next <= 0) return;
    width = next;
    element.replaceChildren(draw(data, index, { width }));
  };
  new ResizeObserver(([entry]) => redraw(Math.floor(entry?.contentRect.width ?? 0))).observe(element);
  window.addEventListener("beforeprint", () => redraw(Math.min(PRINT_WIDTH, width)));
}

const source = present(document.getElementById("data") ?? undefined);
const data = JSON.parse(source.textContent) as PageData;
for (const element of document.querySelectorAll<HTMLElement>("[data-chart]")) place(element, data);
