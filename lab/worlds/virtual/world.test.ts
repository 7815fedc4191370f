import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { RunSummary } from "../../../loadgen/core/run-summary.ts";
import type { Sample } from "../../../loadgen/core/series.ts";
import { renderRun } from "../../report/pages/write-report.ts";
import { resolveEnvironment } from "../../../services/settings/resolve.ts";
import { runVirtually } from "./world.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "virtual-world-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

interface Result {
  readonly code: number;
  readonly printed: string;
  readonly said: readonly string[];
  /** The content of a file of the report. */
  readonly read: (file: string) => string;
}

let runs = 0;

const noPage = async (_folder: string): Promise<unknown> => undefined;

/** Runs `policy` with `settings` into a folder of its own. */
async function runWith(
  policy: string,
  settings: Record<string, string> = {},
  { stop = new AbortController().signal, loadArguments = [] as string[], render = noPage } = {},
): Promise<Result> {
  runs += 1;
  const reports = settings["REPORTS_DIR"] ?? join(scratch, String(runs));
  const explicit = { WORLD: "virtual", DURATION_S: "5", ...settings, REPORTS_DIR: reports };
  const { env } = resolveEnvironment({ root, policy, overrides: { explicit, ambient: {} } });
  let printed = "";
  const said: string[] = [];
  const world = { env, ambient: { NO_COLOR: "1" }, loadArguments, stop, onKill: () => {} };
  const outlets = { print: (text: string) => (printed += text), render };
  const code = await runVirtually({ ...world, say: (text) => said.push(text) }, outlets);
  const read = (file: string): string => {
    const [folder = ""] = readdirSync(reports);
    return readFileSync(join(reports, folder, file), "utf8");
  };
  return { code, printed, said, read };
}

const summaryOf = ({ read }: Result): RunSummary => JSON.parse(read("summary.json")) as RunSummary;
const linesOf = <T>(text: string): T[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as T);

test("a run leaves the same folder as in the other worlds, is valid, and says that it was virtual", async () => {
  const result = await runWith("naive", {}, { render: renderRun });
  assert.equal(result.code, 0, result.said.join("\n"));
  const { world, startedAt, valid, clientRequests, tiers, generator } = summaryOf(result);
  assert.deepEqual(
    { world, startedAt, valid, clientRequests },
    {
      world: "virtual",
      startedAt: null,
      valid: true,
      clientRequests: 300,
    },
  );
  assert.deepEqual(
    [generator.cpuShare, ...Object.values(tiers).map(({ cpuShare }) => cpuShare)],
    [null, null, null, null],
  );
  assert.equal(linesOf(result.read("records.ndjson")).length, 300);
  assert.match(result.read("effective.env"), /^MAX_ATTEMPTS=3$/m);
  assert.match(result.read("report.html"), /<html/);
  assert.match(result.printed, /AMPLIFICATION/);
});

for (const policy of ["naive", "budgeted", "owner"]) {
  test(`the same settings give the same bytes: ${policy}`, async () => {
    const [first, again] = [await runWith(policy), await runWith(policy)];
    for (const file of ["summary.json", "records.ndjson", "series.ndjson"]) {
      assert.equal(first.read(file), again.read(file), file);
    }
    const other = await runWith(policy, { SEED: "2" });
    assert.notEqual(first.read("records.ndjson"), other.read("records.ndjson"));
  });
}

test("the tiers reconcile, and the amplification is what the backend counted", async () => {
  const { tiers, backendCalls, amplification, clientRequests } = summaryOf(await runWith("budgeted"));
  const { edge, api, backend } = tiers;
  assert.equal(edge?.arrivals, clientRequests);
  assert.equal(edge?.attempts, api?.arrivals);
  assert.equal(api?.attempts, backend?.arrivals);
  assert.equal(backendCalls, backend?.arrivals);
  assert.equal(amplification, backendCalls / clientRequests);
  assert.deepEqual(
    Object.values(tiers).map(({ lost }) => lost),
    [0, 0, 0],
  );
});

test("the storm over time is sampled each second, and shows a fault while it lasts", async () => {
  const result = await runWith("naive", { FAULT_TIMELINE: "at 2s error 1; at 3s error 0.4" });
  const samples = linesOf<Sample>(result.read("series.ndjson"));
  for (const [i, { tS, offeredRps }] of samples.slice(0, 5).entries()) {
    assert.equal(tS, i + 1);
    // What is due at the very moment of a sample belongs to one second or the other.
    assert.ok(Math.abs(offeredRps - 60) <= 1, `${offeredRps} req/s in second ${tS}`);
  }
  assert.deepEqual(
    samples.slice(0, 4).map(({ backend }) => backend.errorRate),
    [0.4, 1, 0.4, 0.4],
  );
});

test("more tiers of retries multiply: TIERS=gateway,edge,api", async () => {
  const settings = { TIERS: "gateway,edge,api", ERROR_RATE: "1", CAPACITY: "100000", RATE: "5" };
  const { amplification, tiers } = summaryOf(await runWith("naive", settings));
  assert.deepEqual(Object.keys(tiers), ["gateway", "edge", "api", "backend"]);
  assert.equal(amplification, 27);
});

test("writes with a key have their effect counted, and duplicates show", async () => {
  const { effects, clientRequests } = summaryOf(
    await runWith("naive", { WRITE_SHARE: "1", ERROR_RATE: "0", RATE: "20" }),
  );
  assert.equal(effects, clientRequests);
});

test("--json prints the summary and nothing else", async () => {
  const result = await runWith("owner", {}, { loadArguments: ["--json"] });
  assert.equal(result.printed, result.read("summary.json"));
});

test("a run that is stopped keeps what was measured, and is invalid", async () => {
  const controller = new AbortController();
  const running = runWith("naive", { DURATION_S: "600" }, { stop: controller.signal });
  setImmediate(() => controller.abort());
  const result = await running;
  assert.equal(result.code, 1);
  const { valid, invalidReasons, clientRequests } = summaryOf(result);
  assert.equal(valid, false);
  assert.match(invalidReasons.join("\n"), /interrupted/);
  assert.ok(clientRequests < 36_000);
});

test("a report folder that cannot be written to is named, and nothing is printed as if it were saved", async () => {
  const file = join(scratch, "a-file");
  writeFileSync(file, "");
  const { code, said, printed } = await runWith("naive", { REPORTS_DIR: join(file, "reports") });
  assert.equal(code, 2);
  assert.match(said.join("\n"), /REPORTS_DIR=.*a-file\/reports cannot be written to/);
  assert.equal(printed, "");
});

test("a closed loop is refused, with what to use instead", async () => {
  await assert.rejects(runWith("naive", { LOAD: "closed" }), /LOAD=closed does not go with WORLD=virtual/);
});

test("a page that cannot be made is told, and the run is as good as it was", async () => {
  const render = async (): Promise<never> => {
    throw new Error("no charts");
  };
  const { code, said } = await runWith("owner", {}, { render });
  assert.equal(code, 0);
  assert.deepEqual(said, ["report.html could not be made: no charts"]);
});
