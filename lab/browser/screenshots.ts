/**
 * `npm run screenshots`: pictures of the pages for docs/screenshots, light, dark and as printed, at the size of a
 * projector's picture (1280 × 720). Look at them before they are committed.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { openChromium } from "./chromium.ts";
import { SLOW_MACHINE, startLiveLab } from "./live-lab.ts";
import { makePages, openPage, waitUntil } from "./pages.ts";

/** In CSS pixels, 96 to the inch, less the margins. */
const A4 = { width: 688, height: 1017 };
const folder = fileURLToPath(new URL("../../docs/screenshots", import.meta.url));

/** The page from its top, and, where given, from the heading of one part. */
async function shoot(browser: Browser, url: string, name: string, part?: string): Promise<void> {
  for (const dark of [false, true]) {
    const { page } = await openPage(browser, url, { dark });
    const theme = dark ? "dark" : "light";
    await page.screenshot({ path: join(folder, `${name}-${theme}.png`) });
    if (part !== undefined) {
      await page.locator(`#${part}`).evaluate((heading) => heading.scrollIntoView());
      await page.screenshot({ path: join(folder, `${name}-${part}-${theme}.png`) });
    }
    await page.close();
  }
}

/** The first sheet, as a printer gets it from somebody who reads in the dark. */
async function print(browser: Browser, url: string, name: string): Promise<void> {
  const { page } = await openPage(browser, url, { dark: true, width: A4.width });
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.setViewportSize(A4);
  await page.screenshot({ path: join(folder, `${name}-print.png`) });
  await page.close();
}

const amplification = 'parseFloat(document.getElementById("amplification").textContent)';

const success = 'parseFloat(document.getElementById("success").textContent)';

/** The live page in the middle of a storm, and once a budget has ended it. */
async function shootLive(browser: Browser): Promise<void> {
  const lab = await startLiveLab(SLOW_MACHINE);
  try {
    const { page } = await openPage(browser, lab.url, { dark: true });
    await waitUntil(page, 'document.querySelectorAll("#storm-chart > svg").length === 1');
    await page.waitForTimeout(15_000);
    await waitUntil(page, `${amplification} < 1.1`);
    await page.getByRole("button", { name: /Trigger/u }).click();
    await waitUntil(page, `${amplification} > 7`);
    await page.screenshot({ path: join(folder, "live-storm-dark.png") });
    await page.getByLabel("budgeted").check();
    await waitUntil(page, `${success} > 95`);
    await page.emulateMedia({ colorScheme: "light" });
    await page.waitForTimeout(5000);
    await page.screenshot({ path: join(folder, "live-recovered-light.png") });
    await page.close();
  } finally {
    lab.process.kill("SIGINT");
  }
}

const root = mkdtempSync(join(tmpdir(), "screenshots-"));
const browser = await openChromium();
try {
  mkdirSync(folder, { recursive: true });
  const pages = await makePages(root);
  await shoot(browser, pages.naive, "report", "the-storm");
  await shoot(browser, pages.comparison, "comparison");
  await print(browser, pages.naive, "report");
  await shootLive(browser);
} finally {
  await browser.close();
  rmSync(root, { recursive: true });
}
