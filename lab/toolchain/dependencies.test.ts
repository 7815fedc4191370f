/** What is installed is what is meant: each package has its reason, its exact version, and comes from the public registry. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { SOURCE_ROOT } from "./files.ts";

const root = SOURCE_ROOT;
const read = (path: string): string => readFileSync(`${root}/${path}`, "utf8");

type Versions = Readonly<Record<string, string>>;
interface Manifest {
  readonly dependencies: Versions;
  readonly devDependencies: Versions;
}
interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly resolved?: string } & Partial<Manifest>>
  >;
}
const manifest = JSON.parse(read("package.json")) as Manifest;
const lock = JSON.parse(read("package-lock.json")) as Lock;

const page = "docs/dependencies.md";
const [, running = "", developing = ""] = read(page).split(/^## .*$/mu);

/** The packages that a part of the page has a row for, with the cells behind the name. */
function rows(part: string): readonly { name: string; reason: string; where: string }[] {
  return [...part.matchAll(/^\| `(.+?)` \| (.*?) \|(.*)\|$/gmu)].map(([, name = "", reason = "", where = ""]) => ({
    name,
    reason: reason.trim(),
    where,
  }));
}

test("docs/dependencies.md has a row with a reason for each package of package.json, and no other", () => {
  const names = (part: string): string[] =>
    rows(part)
      .map(({ name }) => name)
      .sort();
  assert.deepEqual(names(running), Object.keys(manifest.dependencies).sort());
  assert.deepEqual(names(developing), Object.keys(manifest.devDependencies).sort());
  for (const { name, reason } of rows(running + developing)) assert.notEqual(reason, "", name);
});

test("The files that docs/dependencies.md names are in the tree, and hold the package's name", () => {
  for (const { name, where } of rows(running + developing))
    for (const [, path = ""] of where.matchAll(/`([^`=]+)`/gu)) {
      assert.ok(existsSync(`${root}/${path}`), `${page} names ${path} for ${name}`);
      if (path.endsWith(".ts")) assert.ok(read(path).includes(name), `${path} no longer uses ${name}`);
    }
});

test("Every version of package.json is exact", () => {
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }))
    assert.match(version, /^\d+\.\d+\.\d+$/u, name);
});

test("package-lock.json locks exactly what package.json asks for", () => {
  const { dependencies, devDependencies } = lock.packages[""] ?? {};
  assert.deepEqual(
    { dependencies, devDependencies },
    {
      dependencies: manifest.dependencies,
      devDependencies: manifest.devDependencies,
    },
  );
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }))
    assert.equal(lock.packages[`node_modules/${name}`]?.version, version, name);
});

test("package-lock.json names no registry but the public one", () => {
  const foreign = Object.entries(lock.packages)
    .filter(([, { resolved }]) => resolved !== undefined && !resolved.startsWith("https://registry.npmjs.org/"))
    .map(([path, { resolved }]) => `${path}: ${resolved}`);
  assert.deepEqual(foreign, []);
});
