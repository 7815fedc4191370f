import assert from "node:assert/strict";
import { test } from "node:test";
import { summarise } from "../core/summary.ts";
import { TERMINAL_WIDTH } from "./narrow-text.ts";
import { summaryText } from "./terminal.ts";
import { FACTS } from "../testdata/facts.ts";

const GOLDEN = `budgeted · reference · process · seed 1 · 60/s for 10 s

  succeeded      83.3 %   500 of 600 requests
  AMPLIFICATION  1.50x   (bound 2.25x)
  latency        p50 9.5 ms   p90 62.4 ms   p99 190 ms   max 1.25 s
  backend calls  900, 4 of them wasted: the caller had gone
  outcomes       ok 500 · failed 100
  edge stopped   success 500 · budget_exhausted 80 · attempts_exhausted 20

  tier         arrivals  attempts   per arrival                CPU
  edge              600       800   1.33x (bound 1.50x)     30.0 %
  api               798       900   1.13x (bound 1.50x)     30.0 %
  backend           900         –   1.50x per request       20.0 %
  edge: 2 attempts ended before they had a connection

  limit: 90.0 % at 1.50x; this run reached 92.6 % of it
  generator: open loop, 600 of 600 sent, 1 late (p99 0.4 ms), CPU 12.0 %

VALID
report: /lab/reports/r1
`;

/** On one line. */
const flat = (text: string): string => text.replaceAll(/\s+/gu, " ");

test("The summary in the form of the published table", () => {
  assert.equal(summaryText(summarise(FACTS), "/lab/reports/r1", false), GOLDEN);
});

test("Shed requests and second copies are told where there are any", () => {
  const summary = summarise(FACTS);
  const { edge, api } = summary.tiers;
  assert.ok(edge !== undefined && api !== undefined);
  const tiers = {
    ...summary.tiers,
    edge: { ...edge, stopReasons: { shed: 12 } },
    api: { ...api, hedged: { sent: 30, won: 28, suppressed: 4, denied: 1 } },
  };
  const text = flat(summaryText({ ...summary, tiers }, undefined, false));
  assert.ok(text.includes("edge: 12 of 600 requests shed before an attempt"));
  const hedged = "api: hedged 30 requests, 28 won by the copy; held back 4 by signs of overload, 1 by the budget";
  assert.ok(text.includes(hedged));
});

test("Amplification is drawn second by second under its number, up to its highest", () => {
  const lines = summaryText(summarise(FACTS), undefined, false, [1, 2, 4, 8]).split("\n");
  const at = lines.findIndex((line) => line.includes("AMPLIFICATION"));
  assert.equal(lines[at + 1], "  over time      ▁▂▄█   to 8.00x");
  assert.doesNotMatch(summaryText(summarise(FACTS), undefined, false, [4]), /over time/);
});

test("An invalid run says so, with every reason, and without a report there is no path", () => {
  const run = summarise({ ...FACTS, incidents: ["it was interrupted."], underWay: 0 });
  const text = summaryText(run, undefined, false);
  assert.match(text, /\nINVALID\n {2}- it was interrupted\.\n$/);
  assert.doesNotMatch(text, /VALID\nreport/);
});

test("A run that was disturbed too little to matter says so in its verdict, of one sentence", () => {
  const client = { ...FACTS.client, late: 9, lateMaxMs: 7, latencyMs: { ...FACTS.client.latencyMs, p50: 500 } };
  const text = flat(summaryText(summarise({ ...FACTS, client }), undefined, false));
  assert.match(text, / VALID, NOISY: 9 of 600 requests went out more than 5 ms late .*$/);
});

test("A closed loop is called one before any number", () => {
  const lines = summaryText(summarise({ ...FACTS, mode: "closed" }), undefined, false).split("\n");
  assert.match(lines[1] ?? "", /^CLOSED LOOP: /);
});

test("It fits on a screen, and has colour only where it is wanted", () => {
  const plain = summaryText(summarise(FACTS), "/lab/reports/r1", false);
  assert.ok(plain.split("\n").length <= 30);
  for (const line of plain.split("\n")) assert.ok(line.length <= TERMINAL_WIDTH, line);
  assert.equal(plain.includes("\u001b["), false);
  assert.equal(summaryText(summarise(FACTS), undefined, true).includes("\u001b["), true);
});

test("What a short run reaches beyond the limit is not left unexplained", () => {
  const run = { ...summarise(FACTS), goodputOfLimit: 1.08 };
  assert.match(flat(summaryText(run, undefined, false)), /reached 108\.0 % of it \(more than a longer one can\)/);
});

test("How long the store of a shared budget did not answer is said, and that it never did", () => {
  const { tiers, ...rest } = summarise(FACTS);
  const { api } = tiers;
  assert.ok(api);
  const textWith = (answers: number, awayMs: number): string =>
    flat(summaryText({ ...rest, tiers: { ...tiers, api: { ...api, store: { answers, awayMs } } } }, undefined, false));
  assert.match(
    textWith(0, 10_000),
    /api: the budget store did not answer for 10\.0+ s and never did; .*only the floor/,
  );
  assert.match(textWith(7, 2500), /api: the budget store did not answer for 2\.50? s;\s+without/);
  assert.doesNotMatch(textWith(7, 0), /budget store/);
});

test("A collector of spans that did not answer a tier is said, whichever tier it is", () => {
  const { tiers, ...rest } = summarise(FACTS);
  const heard = Object.fromEntries(
    Object.entries(tiers).map(([name, tier]) => [name, { ...tier, spans: { answers: 0, awayMs: 4000 } }]),
  );
  const text = summaryText({ ...rest, tiers: heard }, undefined, false);
  for (const name of Object.keys(tiers))
    assert.match(text, new RegExp(`${name}: the collector of spans did not answer for 4\\.0+ s and never did; `));
});
