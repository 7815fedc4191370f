/** The doors of files: what a run, a comparison or a sweep has left, changed at random. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { z } from "zod";
import { summaryText } from "../../../loadgen/output/terminal.ts";
import { parseAll } from "../../experiments/assert/assertion.ts";
import { findingsOf, readComparison } from "../../experiments/assert/experiment.ts";
import { sideBySide } from "../../experiments/compare/side-by-side.ts";
import { readAmplification } from "../../report/data/read-run.ts";
import { readSummaries } from "../../report/data/read-summaries.ts";
import { runHtml } from "../../report/pages/write-report.ts";
import { comparisonOf } from "../../runs/comparison.ts";
import { readFinished } from "../../runs/finished-cells.ts";
import { takenOrTold, type Door } from "./door.ts";
import { anyText } from "./words.ts";

const RUN = fileURLToPath(new URL("../../report/testdata/naive", import.meta.url));
const saved = (name: string): string => readFileSync(join(RUN, name), "utf8");

const anyValue = fc.oneof(fc.jsonValue(), anyText, fc.constantFrom(-1, 1e308, null, "99", [], {}));

/** Where in a value something is changed, as shares of what there is at each depth; and what stands there then. */
const change = fc.record({
  path: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 3 }),
  value: fc.option(anyValue, { nil: undefined }),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function changed(value: unknown, { path: [share = 0, ...rest], value: now }: Change): unknown {
  if (typeof value !== "object" || value === null) return now;
  const entries = Object.entries(value);
  const at = Math.floor(share * entries.length);
  const put = entries.map(([key, old], i) => {
    if (i !== at) return [key, old];
    return [key, rest.length === 0 ? now : changed(old, { path: rest, value: now })];
  });
  return Array.isArray(value) ? put.map(([, one]) => one) : Object.fromEntries(put);
}

/** `text`, which is JSON, changed a few times, or broken off, or something else. */
const jsonLike = (text: string): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .array(change, { maxLength: 3 })
        .map((all) => JSON.stringify(all.reduce(changed, JSON.parse(text)) ?? null)),
    },
    { weight: 1, arbitrary: fc.nat(text.length).map((length) => text.slice(0, length)) },
    { weight: 1, arbitrary: fc.oneof(fc.json(), anyText) },
  );

function scratch(closing: (undo: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), "fuzz-"));
  closing(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Nothing of a stranger's file may steer the terminal. */
const steersNothing = (text: string): void => assert.doesNotMatch(text, /(?!\n)\p{Cc}/u);

const FEW = saved("records.ndjson").split("\n").slice(0, 3);
const SAMPLES = saved("series.ndjson").split("\n").slice(0, 3);
const lines = ([first = "", ...rest]: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(jsonLike(first), anyText, fc.boolean())
    .map(([one, end, torn]) => [one, ...rest, torn ? end : ""].join("\n"));

const runs: Door = {
  name: "summaries, records and samples",
  open: (closing) => {
    const folder = scratch(closing);
    cpSync(RUN, folder, { recursive: true });
    const files = fc.tuple(
      fc.oneof(
        { weight: 2, arbitrary: jsonLike(saved("summary.json")) },
        { weight: 1, arbitrary: fc.constant(saved("summary.json")) },
      ),
      lines(FEW),
      lines(SAMPLES),
      fc.oneof(anyText, fc.constant(saved("effective.env"))),
    );
    return fc.asyncProperty(files, (texts) => {
      ["summary.json", "records.ndjson", "series.ndjson", "effective.env"].forEach((name, i) =>
        writeFileSync(join(folder, name), texts[i] ?? ""),
      );
      return takenOrTold(async () => {
        const [run] = readSummaries([folder]);
        if (run === undefined) return;
        steersNothing(summaryText(run.summary, undefined, false));
        sideBySide([run.summary], [await readAmplification(folder)]);
        await runHtml(folder);
      });
    });
  },
};

const comparisons: Door = {
  name: "comparisons",
  open: (closing) => {
    const file = join(scratch(closing), "comparison.json");
    const [naive] = readSummaries([RUN]);
    assert.ok(naive);
    const text = JSON.stringify(comparisonOf([naive.summary]));
    return fc.asyncProperty(jsonLike(text), (content) => {
      writeFileSync(file, content);
      return takenOrTold(() =>
        findingsOf(parseAll(["naive.success > 2", "naive.p99.high < 1s"]), readComparison(file)),
      );
    });
  },
};

const cells: Door = {
  name: "kept cells",
  open: (closing) => {
    const folder = scratch(closing);
    const form = z.object({ key: z.string(), values: z.record(z.string(), z.number()) });
    const cell = jsonLike('{"key":"a","values":{"success":1}}');
    return fc.property(fc.array(fc.oneof(cell, anyText), { maxLength: 4 }), (all) => {
      writeFileSync(join(folder, "cells.jsonl"), all.join("\n"));
      for (const [key, { values }] of readFinished(folder, form)) {
        assert.equal(typeof key, "string");
        assert.ok(Object.values(values).every(Number.isFinite));
      }
    });
  },
};

export const FILE_DOORS: readonly Door[] = [runs, comparisons, cells];
