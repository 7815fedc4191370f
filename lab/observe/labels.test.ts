/** Every value of every label moves in the run that should move it, and docs/metrics.md lists them all. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { METRICS } from "../../services/telemetry/metric-names.ts";
import { createMetrics } from "../../services/telemetry/metrics.ts";
import { measuringLoad } from "../../loadgen/output/load-metrics.ts";
import { ask } from "../../services/http/testdata/http.ts";
import { chainOf, type Chain } from "./testdata/chain.ts";
import { LABEL_CASES } from "./testdata/label-cases.ts";
import { VALUES } from "./testdata/labels.ts";
import { until } from "./testdata/prometheus.ts";

/** "lab_requests_total outcome=ok": one label of one series. */
const mark = (name: string, label: string, value: string): string => `${name} ${label}=${value}`;

const EXPECTED = [
  ...VALUES.outcome.map((value) => mark(METRICS.requests.name, "outcome", value)),
  ...VALUES.outcome.map((value) => mark(METRICS.attempts.name, "outcome", value)),
  ...VALUES.attempt.map((value) => mark(METRICS.attempts.name, "attempt", value)),
  ...VALUES.reason.map((value) => mark(METRICS.stops.name, "reason", value)),
  ...VALUES.state.map((value) => mark(METRICS.breakerState.name, "state", value)),
  ...VALUES.event.map((value) => mark(METRICS.hedges.name, "event", value)),
  ...VALUES.answer.map((value) => mark(METRICS.fleetAnswers.name, "answer", value)),
  ...VALUES.source.map((value) => mark(METRICS.fleetRetries.name, "source", value)),
  ...VALUES.result.map((value) => mark(METRICS.backendCalls.name, "result", value)),
];

const moved = new Set<string>();

/** Every series in a text of Prometheus with its value. */
function seriesIn(text: string): Map<string, string> {
  return new Map(
    text.split("\n").flatMap((line) => {
      const [, series = "", value = ""] = /^(\w+\{.*\}) (\S+)$/.exec(line) ?? [];
      return series === "" ? [] : [[series, value] as const];
    }),
  );
}

/** Every series of hop and backend with its value. */
async function samples({ hop, backend }: Chain): Promise<Map<string, string>> {
  const texts = await Promise.all([hop, backend].map(async (url) => (await ask(`${url}/metrics`)).text));
  return seriesIn(texts.join("\n"));
}

/** For each value of `label`, what the series of `name` read. */
const atFirst = (series: ReadonlyMap<string, string>, name: string, label: keyof typeof VALUES): unknown[] =>
  VALUES[label].map((value) => {
    const own = [...series].filter(([key]) => key.startsWith(`${name}{`) && key.includes(`${label}="${value}"`));
    return [value, ...new Set(own.map(([, reading]) => reading))];
  });

const allZero = (label: keyof typeof VALUES): unknown[] => VALUES[label].map((value) => [value, "0"]);

// A series that comes with its first event shows no increase by it: that interval is in no rate and in no quantile.
test("Every labelled counter and histogram has all its series, at zero, before the first request", async (t) => {
  const found = await samples(await chainOf(t, { store: { mood: "well" } }));
  const load = createMetrics("load");
  measuringLoad(load);
  for (const [key, value] of seriesIn(await load.read())) found.set(key, value);
  const labelled = [
    ["requests", "outcome"],
    ["attempts", "outcome"],
    ["attempts", "attempt"],
    ["stops", "reason"],
    ["hedges", "event"],
    ["fleetAnswers", "answer"],
    ["fleetRetries", "source"],
    ["backendCalls", "result"],
    ["clientRequests", "outcome"],
  ] as const;
  for (const [key, label] of labelled) assert.deepEqual(atFirst(found, METRICS[key].name, label), allZero(label), key);
  for (const key of ["requestDuration", "attemptDuration", "clientDuration"] as const) {
    for (const part of ["bucket", "sum", "count"]) {
      assert.deepEqual(atFirst(found, `${METRICS[key].name}_${part}`, "outcome"), allZero("outcome"), key);
    }
  }
  assert.deepEqual(
    atFirst(found, METRICS.breakerState.name, "state").map((each) => (each as string[]).length),
    [2, 2, 2],
    "a gauge of states has all of them",
  );
});

/** The labels of the series that read differently from `before`. */
async function marksSince(chain: Chain, before: ReadonlyMap<string, string>): Promise<Set<string>> {
  const marks = new Set<string>();
  for (const [series, value] of await samples(chain)) {
    if (before.get(series) === value) continue;
    const name = series.slice(0, series.indexOf("{"));
    for (const [, label = "", of = ""] of series.matchAll(/(\w+)="([^"]*)"/g)) marks.add(mark(name, label, of));
  }
  return marks;
}

describe("A label takes each of its values in the run that should give it", { concurrency: 1 }, () => {
  for (const { title, moves, act, ...setting } of LABEL_CASES) {
    const gives = [...new Set(moves.map(([, label, value]) => `${label}=${value}`))];
    test(`${title}: ${gives.join(", ")}`, async (t) => {
      const chain = await chainOf(t, setting);
      const before = await samples(chain);
      await act(chain);
      for (const [key, label, value] of moves) {
        const one = mark(METRICS[key].name, label, value);
        await until(one, async () => ((await marksSince(chain, before)).has(one) ? true : undefined));
        moved.add(one);
      }
    });
  }

  after(() => {
    assert.deepEqual(
      EXPECTED.filter((one) => !moved.has(one)),
      [],
      "no run gives these",
    );
  });
});

test("docs/metrics.md lists the values of every label, and no other", () => {
  const page = readFileSync(fileURLToPath(new URL("../../docs/metrics.md", import.meta.url)), "utf8");
  const rows = [...page.matchAll(/^\| `([a-z]+)` \| (.*) \|$/gm)];
  const listed = rows.map(([, label = "", text = ""]) => [
    label,
    [...text.matchAll(/`([^`]+)`/g)].map(([, value]) => value),
  ]);
  assert.deepEqual(Object.fromEntries(listed), VALUES);
});
