/** The rules of direction are only worth their place in oxlint.config.mjs while a breach of each fails the lint. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { SOURCE_ROOT } from "./files.ts";

const root = SOURCE_ROOT;
const folder = mkdtempSync(join(tmpdir(), "direction-"));
after(() => rmSync(folder, { recursive: true }));

interface Source {
  readonly path: string;
  readonly text: string;
}
interface Diagnostic {
  readonly severity: string;
  readonly code: string;
  readonly message: string;
  readonly help?: string;
  readonly filename: string;
}

/** Lints a tree of just these files by the project's rules; a path may be there once. */
function lintTree(sources: readonly Source[]): Promise<{ status: number; diagnostics: readonly Diagnostic[] }> {
  const tree = mkdtempSync(join(folder, "tree-"));
  for (const name of ["oxlint.config.mjs", "tsconfig.json"]) copyFileSync(join(root, name), join(tree, name));
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  for (const { path, text } of sources) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), `${text}\n`);
  }
  return new Promise((resolve, reject) => {
    const oxlint = join(root, "node_modules/.bin/oxlint");
    const words = ["-c", "oxlint.config.mjs", "--format=json", ...sources.map(({ path }) => path)];
    execFile(oxlint, words, { cwd: tree, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (!stdout.startsWith("{")) return reject(new Error(`oxlint said: ${stdout}${stderr}`));
      const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
      resolve({ status: Number(error?.code ?? 0), diagnostics });
    });
  });
}

/**
 * The errors of each source, linted as if it were alone. One run of the linter for as many as have different paths,
 * because a run for each would take half a minute.
 */
async function lintEach<S extends Source>(sources: readonly S[]): Promise<Map<S, readonly string[]>> {
  const found = new Map<S, readonly string[]>();
  let left = [...sources];
  while (left.length > 0) {
    const batch = [...new Map(left.map((source) => [source.path, source])).values()];
    left = left.filter((source) => !batch.includes(source));
    const { status, diagnostics } = await lintTree(batch);
    assert.notEqual(status, 0, "a tree with a breach passes the lint");
    for (const source of batch) {
      const own = diagnostics.filter((d) => d.filename === source.path && d.severity === "error");
      found.set(
        source,
        own.map(({ code, message, help }) => `${code} ${message} ${help ?? ""}`),
      );
    }
  }
  return found;
}

function assertSays(errors: readonly string[] | undefined, message: RegExp): void {
  assert.ok(
    errors?.some((error) => message.test(error)),
    `${message.source} is not among:\n${(errors ?? []).join("\n")}`,
  );
}

const imports = (from: string): string => `import * as it from "${from}";\nexport const used = it;`;
const value = (expression: string): string => `export const used: unknown = ${expression};`;

const CLOCK = /Take a Clock/;
const PACKAGE = /This package stays in services/;
const PURE_IMPORT = /Pure code imports neither npm packages nor node: modules/;
const OVER_HTTP = /The load generator and the services meet over HTTP only/;
const ROLES = /edge and api meet the backend over HTTP only/;
const BELOW = /is below what this imports/;
const PARENT = /A core never imports what is built around it/;
const ENVIRONMENT = /the environment is read by programs/;
const SEEDED = /Randomness is seeded/;
const TEST_TOOLS = /A test of pure code imports node:test, node:assert, fast-check/;

const pure = [
  "services/policy/a.ts",
  "services/policy/budget/a.ts",
  "services/virtual-time/a.ts",
  "services/contract/a.ts",
  "services/hop/core/a.ts",
  "services/backend/core/a.ts",
  "loadgen/core/a.ts",
  "lab/worlds/virtual/core/a.ts",
];

const impurities: readonly [text: string, message: RegExp][] = [
  [value("Date.now()"), CLOCK],
  [value("new Date()"), CLOCK],
  [value("globalThis.Date.now()"), CLOCK],
  [value("performance.now()"), CLOCK],
  [value("setTimeout(() => {}, 1)"), CLOCK],
  [value("setInterval(() => {}, 1)"), CLOCK],
  [value("setImmediate(() => {})"), /Pure code has no event loop/],
  ["queueMicrotask(() => {});\nexport {};", /Pure code has no event loop/],
  [value("process.pid"), /pure code has no process/],
  [value('fetch("http://localhost")'), /pure code does no I\/O/],
  [value("crypto.randomUUID()"), SEEDED],
  ['console.log("x");\nexport {};', /Pure code prints nothing/],
  [value("Math.random()"), SEEDED],
  ["const { random } = Math;\nexport const used = random;", SEEDED],
  [value("AbortSignal.timeout(1)"), /It runs on the real clock/],
  [imports("node:fs"), PURE_IMPORT],
  [imports("fs"), PURE_IMPORT],
  [imports("undici"), PURE_IMPORT],
  ['import type { Request } from "express";\nexport type Used = Request;', PURE_IMPORT],
  ['export * from "execa";', PURE_IMPORT],
  [value('await import("node:timers/promises")'), PURE_IMPORT],
  [imports("../http/client.ts"), BELOW],
  [imports("../hop/core/hop.ts"), BELOW],
];

describe("Pure code fails the lint", () => {
  const impure = impurities.map(([text, message], i) => ({
    path: `services/policy/a${i}.ts`,
    text,
    message,
  }));
  const text = 'import "pino";\nimport "../../lab/cli/main.ts";\nexport const used = [Date.now(), Math.random()];';
  const places = pure.map((path) => ({ path, text }));
  let errors: Map<Source, readonly string[]>;
  before(async () => {
    errors = await lintEach<Source>([...impure, ...places]);
  });

  for (const source of impure) {
    const line = source.text.split("\n")[0] ?? "";
    test(`where it says ${line.replace("export const used: unknown = ", "")}`, () => {
      assertSays(errors.get(source), source.message);
    });
  }
  for (const source of places)
    test(`in ${source.path}`, () => {
      for (const message of [CLOCK, SEEDED, PURE_IMPORT, BELOW]) assertSays(errors.get(source), message);
    });
});

const breaches: readonly [title: string, path: string, text: string, message: RegExp][] = [
  ["express outside the adapters", "lab/server.ts", imports("express"), PACKAGE],
  ["undici in a program's main", "services/edge/main.ts", imports("undici"), PACKAGE],
  ["prom-client in the runner", "lab/report.ts", imports("prom-client"), PACKAGE],
  ["dotenv in a main", "lab/cli/main.ts", imports("dotenv"), PACKAGE],
  ["pino in a main", "loadgen/run/main.ts", imports("pino"), PACKAGE],
  ["OpenTelemetry in the lab", "lab/trace/spans.ts", imports("@opentelemetry/api"), PACKAGE],
  ["Redis in a world", "lab/worlds/process/redis.ts", imports("@redis/client"), PACKAGE],
  ["autocannon in a world", "lab/worlds/process/world.ts", imports("autocannon"), PACKAGE],
  ["undici where the load generator prints", "loadgen/output/progress.ts", imports("undici"), PACKAGE],
  ["a part of a package by its path", "lab/a1.ts", imports("undici/types/client.js"), PACKAGE],
  ["edge that imports api", "services/edge/role.ts", imports("../api/main.ts"), BELOW],
  ["api that imports edge", "services/api/main.ts", imports("../edge/main.ts"), BELOW],
  ["a hop that imports the backend", "services/hop/app.ts", imports("../backend/app.ts"), BELOW],
  ["a backend that imports a hop", "services/backend/app.ts", imports("../hop/app.ts"), BELOW],
  ["a hop's core that imports the backend's", "services/hop/core/a.ts", imports("../../backend/core/model.ts"), BELOW],
  ["a core that imports what is around it", "services/hop/core/b.ts", imports("../app.ts"), PARENT],
  ["settings that import a service", "services/settings/a.ts", imports("../http/service.ts"), BELOW],
  ["HTTP that imports a hop", "services/http/a.ts", imports("../hop/app.ts"), BELOW],
  ["metrics that import HTTP", "services/telemetry/a.ts", imports("../http/server.ts"), BELOW],
  ["a service that imports the load", "services/http/b.ts", imports("../../loadgen/core/schedule.ts"), BELOW],
  ["a service that imports the lab", "services/hop/run.ts", imports("../../lab/cli/main.ts"), BELOW],
  ["a schedule that imports what sends", "loadgen/core/schedule.ts", imports("../send/attack.ts"), BELOW],
  ["what sends and imports the run", "loadgen/send/attack.ts", imports("../run/run.ts"), BELOW],
  ["the load that imports the lab", "loadgen/run/run.ts", imports("../../lab/report/a.ts"), BELOW],
  ["an attack that imports a hop", "loadgen/send/attack2.ts", imports("../../services/hop/app.ts"), OVER_HTTP],
  [
    "a load that imports the backend",
    "loadgen/run/load2.ts",
    imports("../../services/backend/core/model.ts"),
    OVER_HTTP,
  ],
  ["a closed loop that imports edge", "loadgen/send/closed2.ts", imports("../../services/edge/main.ts"), OVER_HTTP],
  ["a test of the attack that imports api", "loadgen/send/a.test.ts", imports("../../services/api/main.ts"), OVER_HTTP],
  ["api that imports the backend", "services/api/b.ts", imports("../backend/app.ts"), ROLES],
  ["a test of edge that imports the backend", "services/edge/main.test.ts", imports("../backend/app.ts"), ROLES],
  ["a report that imports a world", "lab/report/pages/a.ts", imports("../../worlds/process/world.ts"), BELOW],
  ["a world that imports an experiment", "lab/worlds/a.ts", imports("../experiments/map/a.ts"), BELOW],
  ["what experiments share and imports one", "lab/runs/a.ts", imports("../experiments/map/a.ts"), BELOW],
  ["an experiment that imports the commands", "lab/experiments/map/a.ts", imports("../../cli/main.ts"), BELOW],
  ["the environment in an adapter", "services/hop/app.ts", value('process.env["A"]'), ENVIRONMENT],
  ["the environment in the attack", "loadgen/send/attack.ts", value('process.env["A"]'), ENVIRONMENT],
  ["the environment in a world", "lab/worlds/process/world.ts", value('process.env["A"]'), ENVIRONMENT],
  ["the environment by destructuring", "lab/a2.ts", "const { env } = process;\nexport const used = env;", ENVIRONMENT],
  ["the environment by import", "lab/a3.ts", imports("node:process"), ENVIRONMENT],
  ["a real clock in an adapter", "services/backend/app.ts", value("performance.now()"), CLOCK],
  ["a real clock by import in an adapter", "services/hop/app.ts", imports("node:perf_hooks"), CLOCK],
  ["a real timer in the attack", "loadgen/send/attack.ts", value("setTimeout(() => {}, 1)"), CLOCK],
  ["a real timer by import in the attack", "loadgen/send/attack.ts", imports("node:timers/promises"), CLOCK],
  ["the high-resolution clock in an adapter", "services/hop/app.ts", value("process.hrtime.bigint()"), CLOCK],
  ["a signal on the real clock in an adapter", "services/hop/app.ts", value("AbortSignal.timeout(1)"), /real clock/],
  ["unseeded randomness in the runner", "lab/a4.ts", value("Math.random()"), SEEDED],
  ["unseeded randomness in a main", "services/edge/main.ts", value("Math.random()"), SEEDED],
  ["unseeded randomness in a test", "lab/a.test.ts", value("Math.random()"), SEEDED],
  ["a sleep in a test of a policy", "services/policy/a.test.ts", value("setTimeout(() => {}, 1)"), CLOCK],
  ["a file read in a test of a policy", "services/policy/a.test.ts", imports("node:fs"), TEST_TOOLS],
  ["a package in a test of the schedule", "loadgen/core/schedule.test.ts", imports("execa"), TEST_TOOLS],
  [
    "a promise that nobody waits for",
    "lab/a5.ts",
    "async function f(): Promise<void> {}\nf();",
    /no-floating-promises/,
  ],
  [
    "a promise where a value is tested",
    "lab/a6.ts",
    "export const f = (p: Promise<number>): number => (p ? 1 : 2);",
    /no-misused-promises/,
  ],
  [
    "a switch that forgets a case",
    "lab/a7.ts",
    'export function f(x: "a" | "b"): number {\n  switch (x) {\n    case "a":\n      return 1;\n  }\n  return 2;\n}',
    /switch-exhaustiveness-check/,
  ],
  [
    "a signal on the real clock in the virtual world",
    "lab/worlds/virtual/core/b.ts",
    value("AbortSignal.timeout(1)"),
    /real clock/,
  ],
  [
    "a signal on the real clock in a test of a hop",
    "services/hop/core/hop.test.ts",
    value("AbortSignal.timeout(1)"),
    /real clock/,
  ],
  ["var", "lab/b1.ts", "export var used = 1;", /no-var/],
  ["let for what never changes", "lab/b2.ts", "let x = 1;\nexport const used = x;", /prefer-const/],
  ["two equals signs", "lab/b3.ts", "export const f = (a: number): boolean => a == 1;", /eqeqeq/],
  ["a comment that puts work off", "lab/b4.ts", "export {}; // FIX".concat("ME: later"), /no-warning-comments/],
  ["any", "lab/a8.ts", "export const used = (x: any): unknown => x;", /no-explicit-any/],
  ["a file of more than 250 lines", "lab/a9.ts", "export {};\n".repeat(251), /max-lines/],
  [
    "a function of more than 40 lines",
    "lab/a10.ts",
    `export function f(): void {\n${"  f();\n".repeat(40)}}`,
    /max-lines-per-function/,
  ],
];

describe("The lint fails on", () => {
  const sources = breaches.map(([title, path, text, message]) => ({ title, path, text, message }));
  let errors: Map<Source, readonly string[]>;
  before(async () => {
    errors = await lintEach<Source>(sources);
  });

  for (const source of sources) test(source.title, () => assertSays(errors.get(source), source.message));

  test("two files that import each other", async () => {
    const circle = [
      { path: "lab/a.ts", text: 'import { b } from "./b.ts";\nexport const a = (): unknown => b;' },
      { path: "lab/b.ts", text: 'import { a } from "./a.ts";\nexport const b = (): unknown => a;' },
    ];
    for (const found of (await lintEach(circle)).values()) assertSays(found, /no-cycle/);
  });
});

/** Each of them is reasonable code: a rule that fires here is too wide. */
const clean: Readonly<Record<string, string>> = {
  "services/policy/a.ts": "export const sum = (a: number, b: number): number => a + b;",
  "services/policy/a.test.ts":
    'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport fc from "fast-check";\nimport { sum } from "./a.ts";\ntest("adds", () => {\n  fc.assert(fc.property(fc.integer(), (n) => sum(n, 0) === n));\n  assert.equal(sum(1, 1), 2);\n});',
  "services/hop/core/hop.ts": `${imports("../../policy/a.ts")}\nimport "../../contract/request.ts";\nimport "./call.ts";`,
  "services/hop/app.ts": `${imports("express")}\nimport "undici";\nimport "node:http";\nimport "./core/hop.ts";\nimport "../http/app.ts";`,
  "services/hop/app.test.ts":
    'import { setTimeout as sleep } from "node:timers/promises";\nawait sleep(1);\nexport const at = Date.now();',
  "services/backend/app.ts": `${imports("./core/model.ts")}\nimport "express";`,
  "services/backend/core/model.ts": imports("../../policy/a.ts"),
  "services/settings/a.ts": `${imports("dotenv")}\nimport "../hop/core/hop.ts";\nimport "../backend/core/model.ts";`,
  "services/edge/main.ts": `${imports("../hop/app.ts")}\nexport const at = [Date.now(), process.env["A"], setTimeout(() => {}, 1)];`,
  "services/edge/start.test.ts": `${imports("node:timers/promises")}\nimport "../hop/app.ts";`,
  "services/real-time/clock.ts": "export const at = [Date.now(), Math.random(), AbortSignal.timeout(1)];",
  "services/http/service.ts": `${imports("undici")}\nimport "../real-time/clock.ts";\nexport const at = [Date.now(), process.env["A"]];`,
  "loadgen/core/schedule.ts": imports("../../services/policy/a.ts"),
  "loadgen/send/attack.ts": `${imports("undici")}\nimport "../core/schedule.ts";\nimport "node:fs/promises";\nimport "../../services/real-time/clock.ts";`,
  "loadgen/send/attack.test.ts": `${imports("undici")}\nimport "node:timers/promises";`,
  "loadgen/core/summary.ts": 'export type { ServiceStats } from "../../services/contract/stats.ts";',
  "loadgen/send/closed.ts": imports("autocannon"),
  "lab/worlds/load/main.ts": `${imports("../../../loadgen/run/run.ts")}\nimport "../../report/pages/a.ts";\nexport const a = process.env["A"];`,
  "lab/report/data/a.ts": `${imports("cli-table3")}\nimport "../../../loadgen/core/summary.ts";\nimport "node:fs";`,
  "lab/worlds/process/world.ts": `${imports("execa")}\nexport const at = [Date.now(), setTimeout(() => {}, 1)];\nprocess.stdout.write("x");\nprocess.exitCode = 1;`,
  "lab/cli/main.ts": `${imports("commander")}\nimport "node:process";\nimport "../experiments/map/a.ts";\nexport const a = process.env["A"];`,
  "lab/worlds/virtual/core/b.ts": `${imports("../../../../services/hop/core/hop.ts")}\nimport "../../../../services/backend/core/model.ts";\nimport "../../../../loadgen/core/schedule.ts";`,
  "lab/worlds/testdata/lab.ts": "export const env = { ...process.env };",
  "lab/end-to-end/chain.test.ts": `${imports("../../services/backend/app.ts")}\nimport "../../services/edge/main.ts";\nexport const env = { ...process.env };`,
  "lab/browser/page.browser.ts": "export const { HOME } = process.env;",
  "lab/long.test.ts": `export function f(): void {\n${"  f();\n".repeat(260)}}`,
  "bench/main.ts": `${imports("autocannon")}\nexport const at = [performance.now(), process.env["A"]];`,
};

test("Code that keeps the rules passes the lint", async () => {
  const sources = Object.entries(clean).map(([path, text]) => ({ path, text }));
  assert.deepEqual(await lintTree(sources), { status: 0, diagnostics: [] });
});
