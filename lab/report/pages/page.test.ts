/** The pages as text: what must stand in them, whatever draws the charts. `lab/browser` looks at them in Chromium. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import { readRun } from "../data/read-run.ts";
import { ReportError } from "../data/read-summaries.ts";
import { renderComparison, renderExperiment, renderRun } from "./write-report.ts";

const fixtures = fileURLToPath(new URL("../testdata", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "report-"));
after(() => rmSync(root, { recursive: true }));

/** A copy of a fixture, with some of its summary changed. */
function runFolder(name: string, policy: string, changed: Partial<RunSummary> = {}): string {
  const dir = join(root, name);
  cpSync(join(fixtures, policy), dir, { recursive: true });
  const file = join(dir, "summary.json");
  const summary = JSON.parse(readFileSync(file, "utf8")) as RunSummary;
  writeFileSync(file, JSON.stringify({ ...summary, ...changed }));
  return dir;
}

const HOSTILE = `</script><img src=x onerror="alert(1)">'&`;
let naive = "";
let hostile = "";
let comparison = "";

before(async () => {
  const dirs = [runFolder("naive", "naive"), runFolder("budgeted", "budgeted")];
  naive = readFileSync(await renderRun(dirs[0] ?? ""), "utf8");
  comparison = readFileSync(await renderComparison(dirs, join(root, "compare")), "utf8");
  const changed = { policy: HOSTILE, scenario: HOSTILE, valid: false, invalidReasons: [HOSTILE] };
  const dir = runFolder("hostile", "naive", changed);
  writeFileSync(join(dir, "effective.env"), `POLICY=${HOSTILE}\nSCENARIO="${HOSTILE}"\n`);
  hostile = readFileSync(await renderRun(dir), "utf8");
});

/** The page without its script and style, as a reader meets it. */
const told = (page: string): string =>
  page
    .replace(/<(script|style)\b[^>]*>.*?<\/\1>/gsu, "")
    .replace(/<[^>]+>/gu, " ")
    .replace(/\s+/gu, " ");

test("The headline, the verdict and the limit of the run stand in its page", () => {
  const text = told(naive);
  assert.match(text, /naive: one request became 6\.82 backend calls/u);
  assert.match(text, /✓ VALID/u);
  assert.match(text, /27\.7 % of the requests succeeded; at most 100\.0 % could have/u);
});

test("A second above the bound says why it may be there, and one below it says nothing of that", async () => {
  assert.doesNotMatch(told(naive), /a single second can show more/u);
  const tight = readFileSync(await renderRun(runFolder("tight", "naive", { amplificationBound: 8 })), "utf8");
  assert.match(
    told(tight),
    /can reach 8\.00x at most; a single second can show more, since a call counts when it comes/u,
  );
});

test("What a hop shed, and its second copies, stand in a table of their own where there were any", async () => {
  const { tiers } = JSON.parse(readFileSync(join(fixtures, "naive", "summary.json"), "utf8")) as RunSummary;
  const { edge, api } = tiers;
  assert.ok(edge !== undefined && api !== undefined);
  const changed: RunSummary["tiers"] = {
    ...tiers,
    edge: { ...edge, hedged: { sent: 31, won: 17, suppressed: 5, denied: 2 } },
    api: { ...api, stopReasons: { ...api.stopReasons, shed: 1751 } },
  };
  const page = await renderRun(runFolder("defences", "naive", { tiers: changed }));
  const text = told(readFileSync(page, "utf8"));
  assert.match(text, /edge 0 31 17 5 2 api 1,751 0 0 0 0/u);
  assert.doesNotMatch(told(naive), /second copies/u);
});

test("Every figure has a caption with a number in it", () => {
  for (const page of [naive, comparison]) {
    const figures = [...page.matchAll(/<figure>(.*?)<\/figure>/gsu)].map(([, inner = ""]) => inner);
    assert.ok(figures.length >= 5, `${figures.length} figures`);
    for (const inner of figures) {
      const caption = /<figcaption>(.*?)<\/figcaption>/su.exec(inner)?.[1] ?? "";
      assert.match(caption, /\d/u, inner.slice(0, 200));
    }
  }
});

test("Tables have captions, and their heads say whether they head a column or a row", () => {
  const tables = naive.match(/<table>.*?<\/table>/gsu) ?? [];
  assert.ok(tables.length >= 7, `${tables.length} tables`);
  for (const one of tables) {
    assert.match(one, /<caption>[^<]+<\/caption>/u);
    assert.doesNotMatch(one, /<th (?!scope="(col|row)")/u);
  }
});

test("Changes of the backend are told with their time", () => {
  assert.match(told(naive), /A at 2 s: capacity 36\/s and errors 50 %/u);
});

test("The environment and the command that makes the run again are there", () => {
  assert.match(told(naive), /env POLICY=naive SCENARIO=dip WORLD=virtual SEED=1 .* bin\/lab run/u);
  assert.match(naive, /<th scope="row">FAULT_TIMELINE<\/th>/u);
});

test("An invalid run says so with each reason, and words of the user are never markup", () => {
  assert.match(told(hostile), /✗ INVALID Do not quote these numbers/u);
  assert.doesNotMatch(hostile, /<img/u);
  assert.equal((hostile.match(/<script/gu) ?? []).length, 2);
  assert.ok(hostile.split("&lt;/script&gt;&lt;img").length > 6, "the words are shown, escaped");
});

test("A page weighs less than 1 MB, asks the network for nothing, and lets only its own script run", () => {
  for (const page of [naive, comparison, hostile]) {
    assert.ok(Buffer.byteLength(page) < 1_000_000, `${Buffer.byteLength(page)} bytes`);
    assert.match(page, /default-src &#39;none&#39;; script-src &#39;sha256-[\w+/=]+&#39;/u);
    assert.doesNotMatch(page, /<(script|img|link|iframe)[^>]* (src|href)="(?!data:)/u);
  }
});

test("A comparison names each policy with its numbers, and what differs between the runs", () => {
  const text = told(comparison);
  assert.match(text, /naive: 27\.7 % succeeded at 6\.82x; budgeted: 53\.3 % succeeded at 1\.30x/u);
  assert.match(text, /knob naive budgeted POLICY naive budgeted BACKOFF fixed full/u);
});

test("A run without samples, records or environment still has a page", async () => {
  const dir = runFolder("bare", "naive");
  for (const name of ["records.ndjson", "series.ndjson", "effective.env"]) rmSync(join(dir, name));
  const text = told(readFileSync(await renderRun(dir), "utf8"));
  assert.match(text, /kept no records of its requests/u);
  assert.match(text, /one request became 6\.82 backend calls/u);
});

test("A last line that was cut off by an interrupt is left out, one in the middle is named", async () => {
  const dir = runFolder("cut", "naive");
  const file = join(dir, "records.ndjson");
  const lines = readFileSync(file, "utf8");
  writeFileSync(file, `${lines}{"n":300,"id`);
  const { digest } = await readRun(dir);
  assert.equal(
    digest.attempts.reduce((sum, { ok, other }) => sum + ok + other, 0),
    300,
  );
  writeFileSync(file, `{"n":1,\n${lines}`);
  await assert.rejects(readRun(dir), /records\.ndjson, line 1, is not JSON/u);
});

test("What is not a run is refused with the file and the reason", async () => {
  await assert.rejects(readRun(join(root, "nowhere")), /nowhere is not a folder/u);
  const dir = runFolder("old", "naive", { schema: 3 as 2 });
  await assert.rejects(
    readRun(dir),
    /summary\.json is not the summary of a run: schema must be one that this version reads, not 3/u,
  );
  writeFileSync(join(dir, "summary.json"), "{");
  await assert.rejects(readRun(dir), ReportError);
  await assert.rejects(renderComparison([], root), /at least one run/u);
});

test("Runs under one policy are told apart by their seeds", async () => {
  const dirs = [runFolder("s1", "naive"), runFolder("s2", "naive", { seed: 2 }), runFolder("s3", "naive")];
  const page = readFileSync(await renderComparison(dirs, join(root, "seeds")), "utf8");
  assert.match(told(page), /naive, seed 1 \(1\), naive, seed 2 and naive, seed 1 \(3\), side by side/u);
});

const AN_EXPERIMENT = {
  title: "Load <and> errors",
  lead: "Two cells.",
  command: "bin/lab sweep --vary RATE=20,40",
  maps: [
    {
      title: "naive: load",
      finding: "One of 2 cells is down.",
      xLabel: "errors",
      yLabel: "load",
      valueLabel: "share",
      thresholds: [0.5],
      crossedMeans: "still down",
      cells: [
        { x: 0, y: 20, value: 1 },
        { x: 0, y: 40, value: 0.25, crossed: true },
      ],
      edges: [{ name: "healthy below", points: [{ x: 0, y: 30 }] }],
    },
  ],
};

test("An experiment's page tells its cells as a table, its edges in the legend, and how to make it again", async () => {
  const page = readFileSync(await renderExperiment(AN_EXPERIMENT, join(root, "experiment")), "utf8");
  const text = told(page);
  assert.match(text, /Load &lt;and&gt; errors/u);
  assert.match(text, /One of 2 cells is down\./u);
  assert.match(text, /load \\ errors 0 40 0\.25 × 20 1/u);
  assert.match(text, /still down computed: healthy below/u);
  assert.match(text, /bin\/lab sweep --vary RATE=20,40/u);
  assert.match(page, /data-chart="map" data-index="0"/u);
  assert.ok(Buffer.byteLength(page) < 1_000_000);
});

test("A page that cannot be written is an error that names the file", async () => {
  const file = join(root, "file");
  writeFileSync(file, "");
  await assert.rejects(renderComparison([runFolder("again", "naive")], join(file, "sub")), /cannot be made/u);
});

test("The backend's ledger has a row for what is still queued, its parts indented, and the wasted calls of both", async () => {
  const { backend, backendCalls } = JSON.parse(
    readFileSync(join(fixtures, "naive", "summary.json"), "utf8"),
  ) as RunSummary;
  const changed = {
    backend: { ...backend, ok: 600, failed: 200, wasted: 700, waiting: backendCalls - 800, serving: 0, abandoned: 900 },
  };
  const dir = runFolder("ledger", "naive", { ...changed, wastedBackendCalls: 1600 });
  const page = readFileSync(await renderRun(dir), "utf8");
  assert.match(
    told(page),
    /served 800 39\.1 % answered well 600 29\.3 % failed by injected error 200 9\.8 % after the caller had gone: wasted 700 34\.2 % still there at the end 1,245 60\.9 % in the queue 1,245 60\.9 % whose caller had gone: wasted 900 44\.0 % all calls 2,045 100\.0 % wasted in all: the caller had gone 1,600 78\.2 %/u,
  );
  assert.match(page, /<th scope="row">\u2003answered well<\/th>/u);
});

test("A run that was disturbed too little to matter is VALID, NOISY in its page, with what was late", async () => {
  const noise = "6 of 480 requests went out late; up to 20 ms cannot matter";
  const dir = runFolder("noisy", "naive", { valid: true, validity: "noisy", noisyReasons: [noise] });
  const text = told(readFileSync(await renderRun(dir), "utf8"));
  assert.match(text, /✓ VALID, NOISY : 6 of 480 requests went out late/u);
});

test("A comparison with an invalid run says so in its first line, and its data have that run's bars grey", async () => {
  const spoiled = { valid: false, validity: "invalid", invalidReasons: ["the machine was saturated."] } as const;
  const dirs = [runFolder("sound", "budgeted"), runFolder("spoiled", "naive", spoiled)];
  const page = readFileSync(await renderComparison(dirs, join(root, "spoiled-compare")), "utf8");
  assert.match(told(page), /side by side ✗ INVALID: naive Do not quote this comparison/u);
  assert.match(page, /"label":"budgeted","valid":true/u);
  assert.match(page, /"label":"naive \(INVALID\)","valid":false/u);
  assert.doesNotMatch(told(comparison), /INVALID/u);
});
