/** The report in a real browser: `npm run test:browser`. It needs a Chromium, and fails where there is none. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { openChromium } from "./chromium.ts";
import { EXPERIMENTS, makePages, openPage, waitUntil, type Pages } from "./pages.ts";

const root = mkdtempSync(join(tmpdir(), "report-browser-"));
let browser: Browser;
let pages: Pages;

before(async () => {
  browser = await openChromium();
  pages = await makePages(root, EXPERIMENTS);
});
after(async () => {
  await browser.close();
  rmSync(root, { recursive: true });
});

for (const dark of [false, true]) {
  test(`Every chart is drawn without a complaint or a request, ${dark ? "dark" : "light"}`, async () => {
    for (const [url, least] of [
      [pages.naive, 6],
      [pages.comparison, 6],
      [pages.experiment, 2],
    ] as const) {
      const { page, complaints, requests } = await openPage(browser, url, { dark });
      assert.deepEqual({ complaints, requests }, { complaints: [], requests: [] });
      assert.ok((await page.locator("[data-chart] > svg").count()) >= least);
      await page.close();
    }
  });
}

test("A map has a cell for each pair, and its computed edges run through them", async () => {
  const { page } = await openPage(browser, pages.experiment);
  const map = page.locator('[data-chart="map"] > svg');
  assert.equal(await map.locator('g[aria-label="rect"] rect').count(), 60);
  const edges = map.locator('g[aria-label="line"] path');
  assert.equal(await edges.count(), 4);
  const frame = await map.locator('g[aria-label="rect"]').boundingBox();
  const line = await edges.first().boundingBox();
  assert.ok(frame !== null && line !== null);
  assert.ok(line.width > frame.width / 2 && line.x > frame.x && line.y > frame.y);
  assert.ok(line.x + line.width < frame.x + frame.width && line.y + line.height < frame.y + frame.height);
  await page.close();
});

test("No coordinate of any chart is not a number", async () => {
  for (const url of [pages.naive, pages.comparison, pages.experiment]) {
    const { page } = await openPage(browser, url);
    assert.doesNotMatch(await page.locator("main").innerHTML(), /NaN|undefined|Infinity/u);
    await page.close();
  }
});

test("Headings go down one step at a time, and landmarks are there once each", async () => {
  const { page } = await openPage(browser, pages.comparison);
  const tags = await page.locator("h1, h2, h3, h4").evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])));
  assert.equal(tags[0], 1);
  assert.equal(tags.filter((level) => level === 1).length, 1);
  tags.forEach((level, i) => assert.ok(level <= (tags[i - 1] ?? 0) + 1, `${level} after ${tags[i - 1]}`));
  for (const landmark of ["header", "main", "footer"])
    assert.equal(await page.locator(`body > ${landmark}`).count(), 1);
  await page.close();
});

test("The keyboard meets the skip link first, and it leads to the results", async () => {
  const { page } = await openPage(browser, pages.naive);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate("document.activeElement.className"), "skip");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate("document.activeElement.id"), "content");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate("document.activeElement.tagName"), "SUMMARY");
  await page.close();
});

test("A screen reader hears captions and tables, and none of a picture's parts", async () => {
  const { page } = await openPage(browser, pages.naive);
  const tree = await page.locator("main").ariaSnapshot();
  assert.match(tree, /- figure:?/u);
  assert.match(tree, /Each hop multiplies what it gets/u);
  assert.equal(await page.locator("[data-chart] > svg:not([aria-hidden=true])").count(), 0);
  await page.close();
});

test("Text is at least 18 pixels high, in the charts at least 16", async () => {
  const { page } = await openPage(browser, pages.naive);
  const sizes = (selector: string): Promise<number[]> =>
    page.evaluate(`[...document.querySelectorAll("${selector}")].map((e) => parseFloat(getComputedStyle(e).fontSize))`);
  assert.ok(Math.min(...(await sizes("p, li, td, th, figcaption, dt, dd, small, summary, caption"))) >= 18);
  assert.ok(Math.min(...(await sizes("[data-chart] text"))) >= 16);
  await page.close();
});

test("A narrow screen scrolls down and never sideways", async () => {
  for (const url of [pages.naive, pages.comparison, pages.experiment]) {
    const { page } = await openPage(browser, url, { width: 390 });
    const over = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    assert.equal(over, 0);
    await page.close();
  }
});

test("Charts follow the width of their place", async () => {
  const { page } = await openPage(browser, pages.naive);
  const width = (): Promise<number> =>
    page.evaluate("document.querySelector('[data-chart] > svg').width.baseVal.value");
  const wide = await width();
  await page.setViewportSize({ width: 600, height: 800 });
  await waitUntil(page, `document.querySelector('[data-chart] > svg').width.baseVal.value < ${wide}`);
  assert.ok((await width()) <= 600);
  await page.close();
});

test("Without JavaScript the numbers are still told", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(pages.naive);
  const text = await page.locator("main").innerText();
  assert.match(text, /6\.82x/u);
  assert.match(text, /The charts need JavaScript/u);
  await context.close();
});
