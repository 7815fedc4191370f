/** What the pages name is there: the files, the links, the names of the code, and the reasons that a run may give. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { filesUnder, SOURCE_ROOT } from "./files.ts";

const root = SOURCE_ROOT;
const files = filesUnder(root);
const pages = files
  .filter((path) => path.endsWith(".md"))
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
const code = files
  .filter((path) => /\.(ts|mjs|sh)$|^Makefile$|^bin\//u.test(path) && path !== "lab/toolchain/docs.test.ts")
  .map((path) => readFileSync(join(root, path), "utf8"))
  .join("\n");

const WRITTEN_BY_A_RUN = /^(reports|dist)\//u;
/** Written from tables of the code, which wrap nowhere. */
const GENERATED = new Set(["docs/catalogue.md", "docs/knobs.md", "docs/verbs.md", "docs/README.md"]);
/** Files that a reader makes. */
const EXAMPLES = new Set(["policies/mine.env"]);
/** Placeholders, as in `policies/<name>.env`, are no names. */
const PLACEHOLDER = /[<>…*{}]/u;

const quoted = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/gu)].map(([, word = ""]) => word);

test("Every link of a page leads to a file that is there", () => {
  const dead = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/gu)]
      .map(([, target = ""]) => target)
      .filter((target) => !existsSync(join(root, dirname(path), target)))
      .map((target) => `${path} links ${target}`),
  );
  assert.deepEqual(dead, []);
});

test("Every file that a page names is in the tree", () => {
  const named = /^(?:[\w.-]+\/)*[\w.-]+\.(?:ts|mjs|sh|md|env|ya?ml)$/u;
  const tails = new Set(files.flatMap((path) => [path, path.split("/").at(-1) ?? ""]));
  const dead = pages.flatMap(({ path, text }) =>
    quoted(text)
      .filter((word) => named.test(word) && !PLACEHOLDER.test(word) && !WRITTEN_BY_A_RUN.test(word))
      .filter((word) => !tails.has(word) && !EXAMPLES.has(word))
      .map((word) => `${path} names ${word}`),
  );
  assert.deepEqual(dead, []);
});

test("Every file that a comment of the code names is in the tree", () => {
  const comment = /^\s*(?:\/\/|\/\*\*|\*|#) .*| \/\/ .*/u;
  const named = /(?<![\w./@-])(?:[\w-]+\/)*[\w-]+(?:\.\w+)?\.(?:ts|sh|md|mjs)\b/gu;
  const dead = files
    .filter((path) => /\.(ts|mjs|sh)$/u.test(path) && !path.startsWith("lab/toolchain/"))
    .flatMap((path) =>
      readFileSync(join(root, path), "utf8")
        .split("\n")
        .flatMap((line) => [...(comment.exec(line)?.[0] ?? "").matchAll(named)].map(([word]) => word))
        .filter((word) => !files.some((file) => `/${file}`.endsWith(`/${word}`)) && !EXAMPLES.has(word))
        .map((word) => `${path} names ${word}`),
    );
  assert.deepEqual(dead, []);
});

test("Every name of the code that ARCHITECTURE.md and CONTRIBUTING.md give is found by a search", () => {
  const isName = /^[a-z]+(?:[A-Z][a-z]+)+$|^(?:[A-Z][a-z]+){1,5}$|^[A-Z]+(?:_[A-Z]+)+$/u;
  const gone = pages
    .filter(({ path }) => path === "ARCHITECTURE.md" || path === "CONTRIBUTING.md")
    .flatMap(({ path, text }) =>
      quoted(text)
        .filter((word) => isName.test(word) && !new RegExp(String.raw`\b${word}\b`, "u").test(code))
        .map((word) => `${path} names ${word}`),
    );
  assert.deepEqual(gone, []);
});

test("docs/invalid.md has a row for every reason that a run may give", () => {
  const rows = pages.find(({ path }) => path === "docs/invalid.md")?.text ?? "";
  const said = quoted(rows).filter((word) => word.includes(" ") && !word.startsWith("load:"));
  const sources = ["loadgen/core/validity.ts", "loadgen/run/lifecycle.ts"].map((path) =>
    readFileSync(join(root, path), "utf8"),
  );
  const reasons = sources.flatMap((text) =>
    [...text.matchAll(/^\s*[`"](?=[^`"]{40})([^`\n]*[.:}])[`"],?$|end\([`"]([^`"\n]+)[`"]\)/gmu)].map(
      ([, alone = "", incident = ""]) => alone || incident,
    ),
  );
  assert.ok(reasons.length >= 7, `only ${reasons.length} reasons were found in the code`);
  const unexplained = reasons.filter((reason) => !said.some((words) => reason.includes(words)));
  assert.deepEqual(unexplained, []);
});

test("Prose keeps to 120 columns", () => {
  const long = pages.flatMap(({ path, text }) =>
    text
      .split("\n")
      .flatMap((line, i) =>
        line.length > 120 && !/^\s*\||!\[|https?:/u.test(line) && !GENERATED.has(path) ? [`${path}:${i + 1}`] : [],
      ),
  );
  assert.deepEqual(long, []);
});
