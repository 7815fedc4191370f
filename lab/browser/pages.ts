/** Pages for the browser's tests and screenshots, made from the report's own fixtures. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import type { Extras } from "../report/pages/extras.ts";
import { renderComparison, renderExperiment, renderRun } from "../report/pages/write-report.ts";

const fixtures = fileURLToPath(new URL("../report/testdata", import.meta.url));

/** Both slots for experiments, filled with simple numbers: their shape is what is looked at. */
export const EXPERIMENTS: Extras = {
  maps: [
    {
      title: "Offered load against error rate",
      finding: "Made up for this picture: success falls from 1 to 0 along both axes.",
      xLabel: "offered load, requests per second →",
      yLabel: "↑ error rate",
      valueLabel: "share that succeeded",
      thresholds: [0.2, 0.4, 0.6, 0.8],
      cells: Array.from({ length: 60 }, (_, i) => {
        const [x, y] = [i % 10, Math.floor(i / 10)];
        const value = Math.max(0, Math.min(1, 1.3 - x / 10 - y / 8));
        return { x: 20 + x * 10, y: y / 10, value, crossed: value < 0.2 };
      }),
      edges: [
        {
          name: "an edge between the cells",
          points: [
            { x: 25, y: 0.45 },
            { x: 105, y: 0.05 },
          ],
        },
        {
          name: "an edge that leaves the map",
          points: [
            { x: 20, y: 0.3 },
            { x: 200, y: 0.9 },
          ],
        },
      ],
    },
  ],
  ablations: [
    {
      title: "One defence at a time",
      finding: "Made up for this picture: four variants between 15 % and 86 %.",
      rows: [0.15, 0.17, 0.86, 0.14].map((median, i) => ({
        label: `variant ${i + 1}`,
        success: { median, low: median - 0.05, high: median + 0.05 },
        amplification: { median: 2 },
        p99Ms: { median: 100 },
      })),
    },
  ],
};

export interface Pages {
  readonly naive: string;
  readonly comparison: string;
  readonly experiment: string;
}

/** Renders into `root`; URLs of the pages. */
export async function makePages(root: string, extras: Extras = {}): Promise<Pages> {
  const dirs = ["naive", "budgeted"].map((policy) => join(root, policy));
  for (const dir of dirs) cpSync(join(fixtures, dir.slice(root.length + 1)), dir, { recursive: true });
  const [naive = ""] = dirs;
  const made = { title: "Made up", lead: "Simple numbers.", command: "bin/lab sweep", ...EXPERIMENTS };
  const files = [
    await renderRun(naive),
    await renderComparison(dirs, join(root, "comparison"), extras),
    await renderExperiment(made, join(root, "experiment")),
  ];
  const [run = "", comparison = "", experiment = ""] = files.map((file) => pathToFileURL(file).href);
  return { naive: run, comparison, experiment };
}

/**
 * Waits until `expression` is true in the page. It asks from outside: the page's own policy forbids what Playwright
 * would do within it.
 * @throws Error after 90 s, with the expression: a busy machine may take its time
 */
export async function waitUntil(page: Page, expression: string): Promise<void> {
  const steps = 900;
  for (let step = 0; step < steps; step += 1) {
    if ((await page.evaluate(expression)) === true) return;
    await page.waitForTimeout(100);
  }
  throw new Error(`within ${steps / 10} s it did not come true: ${expression}`);
}

export interface Opened {
  readonly page: Page;
  /** What the page complained of: console errors and warnings, exceptions. */
  readonly complaints: string[];
  /** Addresses that it asked for, its own aside. */
  readonly requests: string[];
}

/** Opens a page and waits until its charts are drawn. */
export async function openPage(
  browser: Browser,
  url: string,
  look: { width?: number; dark?: boolean } = {},
): Promise<Opened> {
  const { width = 1280, dark = false } = look;
  const page = await browser.newPage({
    viewport: { width, height: Math.round(width * 0.5625) },
    colorScheme: dark ? "dark" : "light",
  });
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (request.url() !== url && !request.url().startsWith("data:")) requests.push(request.url());
  });
  await page.goto(url);
  const charts = await page.locator("[data-chart]").count();
  await waitUntil(page, `document.querySelectorAll("[data-chart] > svg").length === ${charts}`);
  return { page, complaints, requests };
}
