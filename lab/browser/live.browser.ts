/** The live page as a presenter uses it: trigger, storm, another policy, recovery; and nothing left at the end. */
import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { openChromium } from "./chromium.ts";
import { SLOW_MACHINE, startLiveLab } from "./live-lab.ts";
import { openPage, waitUntil } from "./pages.ts";

let browser: Browser;
let lab: ChildProcess | undefined;
let url = "";

before(async () => {
  browser = await openChromium();
  const started = await startLiveLab(SLOW_MACHINE);
  ({ url, process: lab } = started);
});
after(async () => {
  await browser.close();
  if (lab?.exitCode === null) lab.kill("SIGKILL");
});

/** Waits until the number in `id` passes the test, an expression of `n`. */
async function until(page: Page, id: string, expression: string): Promise<void> {
  const number = `parseFloat(document.getElementById("${id}").textContent.replace(",", ""))`;
  await waitUntil(page, `((n) => ${expression})(${number})`);
}

test("Healthy: one call for each request, charts drawn, nothing to complain of", async () => {
  const { page, complaints } = await openPage(browser, url);
  await until(page, "amplification", "n > 0.9 && n < 1.1");
  await until(page, "success", "n > 99");
  assert.equal(await page.locator("#storm-chart > svg").count(), 1);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("A trigger starts a storm that outlives it, and the budgeted policy ends it", async () => {
  const { page, complaints } = await openPage(browser, url);
  await page.getByRole("button", { name: /Trigger/u }).click();
  await until(page, "amplification", "n > 5");
  await waitUntil(page, "!document.getElementById('trigger').disabled");
  await until(page, "amplification", "n > 7");
  await page.getByLabel("budgeted").check();
  await until(page, "amplification", "n < 1.3");
  await until(page, "success", "n > 95");
  assert.match(await page.locator("#bound").innerText(), /under budgeted/u);
  assert.match(await page.locator("#moments").innerText(), /policy budgeted/u);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("Capacity and errors follow the controls, and a wrong value is refused by the page", async () => {
  const { page } = await openPage(browser, url);
  await page.getByLabel("capacity").fill("120");
  await page.getByLabel("errors").fill("10");
  await page.getByRole("button", { name: "Set" }).click();
  await waitUntil(page, "document.getElementById('faults-now').textContent === 'it takes 120/s, 10 % fail'");
  await page.getByLabel("capacity").fill("0");
  await page.getByRole("button", { name: "Set" }).click();
  assert.equal(await page.locator("#capacity:invalid").count(), 1);
  await page.close();
});

test("Every control is reached by the keyboard, in the order of the page", async () => {
  const { page } = await openPage(browser, url);
  const reached: string[] = [];
  for (let i = 0; i < 6; i += 1) {
    await page.keyboard.press("Tab");
    reached.push(
      await page.evaluate(
        "document.activeElement.id || document.activeElement.className || document.activeElement.name || document.activeElement.textContent",
      ),
    );
  }
  assert.deepEqual(reached, ["skip", "policy", "trigger", "capacity", "errorRate", "Set"]);
  await page.close();
});

test("Another page of the same browser can neither read nor change anything", async () => {
  const { page } = await openPage(browser, "data:text/html,<title>elsewhere</title>");
  const result = await page.evaluate(
    `fetch("${url}trigger", { method: "POST", body: "{}" }).then(() => "read", () => "refused")`,
  );
  assert.equal(result, "refused");
  const there = await openPage(browser, url);
  assert.equal(await there.page.locator("#trigger:disabled").count(), 0);
  await page.close();
  await there.page.close();
});

test("Ctrl-C ends the lab with exit code 0, and a page that is open says so", async () => {
  const { page } = await openPage(browser, url);
  await waitUntil(page, "document.getElementById('lost').hidden");
  assert.ok(lab);
  lab.kill("SIGINT");
  const [code] = (await once(lab, "exit")) as [number | null];
  assert.equal(code, 0);
  await page.locator("#lost").waitFor({ state: "visible" });
  await assert.rejects(fetch(url));
  await page.close();
});
