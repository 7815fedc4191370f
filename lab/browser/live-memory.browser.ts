/** Ten minutes of the live page, as fast as the browser can draw them: it must not grow. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, CDPSession } from "playwright-core";
import type { Reading } from "../../loadgen/core/series.ts";
import { livePage } from "../live/page.ts";
import type { LiveState } from "../live/model.ts";
import { serveLive, type LiveServer } from "../live/server.ts";
import { LiveWindow } from "../live/window.ts";
import { pageAssets } from "../report/pages/assets.ts";
import { openChromium } from "./chromium.ts";
import { openPage, waitUntil } from "./pages.ts";

const FAULTS = { capacity: 300, errorRate: 0 };
const window = new LiveWindow();
let seconds = 0;
let browser: Browser;
let server: LiveServer;

const reading = (second: number): Reading => ({
  atMs: second * 1000,
  due: second * 60,
  tiers: {},
  backend: {
    arrivals: second * 200,
    ok: 0,
    failed: 0,
    shed: 0,
    wasted: 0,
    waiting: second,
    tokens: 0,
    ...FAULTS,
  },
});

function state(): LiveState {
  return {
    nowS: seconds,
    policy: "naive",
    faults: FAULTS,
    rate: 60,
    triggered: false,
    bound: 9,
    ...window.view(),
  };
}

/** The next second, drawn. */
function pass(): void {
  seconds += 1;
  for (let i = 0; i < 60; i += 1) window.answered(i % 3 === 0, 10 + ((seconds * 37 + i * 11) % 500));
  if (seconds % 7 === 0) window.note(seconds - 0.5, `change ${seconds}`);
  window.tick(reading(seconds));
  server.send(state());
}

before(async () => {
  browser = await openChromium();
  const assets = await pageAssets("live");
  const trigger = { seconds: 5, faults: { capacity: 60, errorRate: 0.5 } };
  const page = (): string => livePage({ policies: ["naive"], trigger, initial: state() }, assets);
  server = await serveLive({ page, policies: ["naive"], change: () => Promise.resolve() }, 0);
});
after(async () => {
  await server.close();
  await browser.close();
});

async function sizeOf(session: CDPSession): Promise<{ heapBytes: number; nodes: number }> {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const { nodes } = await session.send("Memory.getDOMCounters");
  return { heapBytes: usedSize, nodes };
}

test("After ten minutes the page holds no more than after its first two", async () => {
  const { page, complaints } = await openPage(browser, server.url);
  await waitUntil(page, "document.getElementById('lost').hidden");
  const session = await page.context().newCDPSession(page);
  const passUntil = async (last: number): Promise<{ heapBytes: number; nodes: number }> => {
    while (seconds < last) {
      pass();
      await waitUntil(page, `document.getElementById("waiting").textContent.replace(",", "") === "${seconds}"`);
    }
    return sizeOf(session);
  };
  const early = await passUntil(120);
  const late = await passUntil(600);
  console.log(`after 2 min ${JSON.stringify(early)}, after 10 min ${JSON.stringify(late)}`);
  assert.ok(late.nodes <= early.nodes * 1.1, "DOM nodes");
  assert.ok(late.heapBytes <= early.heapBytes * 1.25, "heap");
  assert.deepEqual(complaints, []);
  await page.close();
});
