/** What the layout promises and no linter looks at: no circle, no crowded folder, one meaning for each exported name. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { test } from "node:test";
import { filesUnder, SOURCE_ROOT } from "./files.ts";

const MOST_FILES = 25;

const sources = new Map(
  filesUnder(SOURCE_ROOT)
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .map((path) => [path, readFileSync(`${SOURCE_ROOT}/${path}`, "utf8")]),
);
const shipped = [...sources.keys()].filter((path) => !path.includes("/testdata/"));

/** What a file imports, for its types, too, and what it imports later. */
function importsOf(path: string): string[] {
  const named = (sources.get(path) ?? "").matchAll(/(?:\bfrom|\bimport\(|^import)\s*"(\.[^"]+)"/gm);
  return [...named].map(([, to = ""]) => posix.join(dirname(path), to)).filter((to) => to !== path && sources.has(to));
}

/** A way from a file back to itself, where there is one. */
function circle(): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const to of importsOf(path)) {
      const found = visit(to, [...way, path]);
      if (found !== undefined) return found;
    }
    done.add(path);
    return undefined;
  };
  for (const path of sources.keys()) {
    const found = visit(path, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

function grouped(pairs: readonly (readonly [key: string, path: string])[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [key, path] of pairs) groups.set(key, [...(groups.get(key) ?? []), path]);
  return groups;
}

test("No file imports itself by way of others, not even for a type", () => {
  assert.ok(importsOf("lab/toolchain/run-tests.ts").includes("lab/toolchain/files.ts"), "imports are seen");
  assert.equal(circle()?.join(" → "), undefined);
});

test(`No folder has more than ${MOST_FILES} files`, () => {
  const crowded = [...grouped(shipped.map((path) => [dirname(path), path]))]
    .filter(([, files]) => files.length > MOST_FILES)
    .map(([folder, files]) => `${folder}: ${files.length}`);
  assert.deepEqual(crowded, []);
});

const EXPORT =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:type|interface|function\*?|const|class|let|enum) +([A-Za-z0-9_]+)/gm;

test("An exported name means one thing in the whole project", () => {
  const exported = shipped.flatMap((path) =>
    [...(sources.get(path) ?? "").matchAll(EXPORT)].map(([, name = ""]) => [name, path] as const),
  );
  assert.ok(exported.length > 500, "exports are seen");
  const twice = [...grouped(exported)]
    .map(([name, paths]) => [name, [...new Set(paths)]] as const)
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name}: ${paths.join(", ")}`);
  assert.deepEqual(twice, []);
});

test("No test takes a figure of which nothing was measured for a small one", () => {
  const tests = filesUnder(SOURCE_ROOT).filter((path) => /\.(?:test|check|browser)\.ts$/.test(path));
  assert.ok(tests.length > 200, "tests are seen");
  // null < 1.8 is true: `measured` (loadgen/testdata) refuses what is null.
  const loose = tests.flatMap((path) =>
    readFileSync(`${SOURCE_ROOT}/${path}`, "utf8")
      .split("\n")
      .filter((line) => /[\w)\]]!\)? *<=? | (?:[<>]=?) [^=&|]*[\w)\]]!(?:[);]| [&|*/+-])/.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  assert.deepEqual(loose, []);
});
