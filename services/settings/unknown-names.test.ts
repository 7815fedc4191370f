import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Layer, LayerKind } from "./layers.ts";
import { slipsBetween } from "./unknown-names.ts";
import { ConfigError, readLayers } from "./values.ts";

function problemsOf(kind: LayerKind, settings: Readonly<Record<string, string>>, ...more: Layer[]): readonly string[] {
  try {
    readLayers([{ kind, settings }, ...more]);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const SLIPS: readonly [name: string, meant: string][] = [
  ["RAET", "RATE"],
  ["MAX_ATEMPTS", "MAX_ATTEMPTS"],
  ["MAX_ATTEMPT", "MAX_ATTEMPTS"],
  ["EDGE_MAX_ATTEMTPS", "EDGE_MAX_ATTEMPTS"],
  ["CAPACTIY", "CAPACITY"],
  ["BUGDET", "BUDGET"],
  ["DURATION_MS", "DURATION_S"],
  ["API_BUDGET_RATO", "API_BUDGET_RATIO"],
];

describe("A misspelt knob is a fault everywhere, and the knob that was meant is named:", () => {
  for (const [name, meant] of SLIPS) {
    test(name, () => {
      for (const kind of ["file", "typed", "ambient"] as const) {
        assert.deepEqual(problemsOf(kind, { [name]: "1" }), [`${name} is not a setting. Did you mean ${meant}?`], kind);
      }
    });
  }
});

test("A knob in small letters is recognised on the command line and in a file", () => {
  assert.deepEqual(problemsOf("typed", { rate: "5" }), ["rate is not a setting. Did you mean RATE?"]);
  assert.deepEqual(problemsOf("ambient", { rate: "5" }), []);
});

test("Any unknown name is a fault on the command line and in a file", () => {
  for (const kind of ["file", "typed"] as const) {
    assert.deepEqual(problemsOf(kind, { FOO_BAR_BAZ: "1" }), [
      "FOO_BAR_BAZ is not a setting. .env.example lists them all.",
    ]);
    assert.equal(problemsOf(kind, { API_KEY: "1" }).length, 1);
  }
});

test("What shells, containers and other programs set is none of our business", () => {
  const names =
    "PATH HOME HOSTNAME TERM USER PWD SHLVL LANG DATE NODE_VERSION YARN_VERSION NODE_OPTIONS CI MAKEFLAGS MAKELEVEL TIER POST LOADED " +
    "API_KEY API_KEYS API_TOKEN API_URL API_HOST API_PORT API_BASE_URL API_SECRET API_SERVICE_HOST API_PORT_80_TCP_ADDR API_CLIENT_ID " +
    "EDGE_PATH EDGE_DRIVER EDGE_CONFIG GATEWAY_MAX_ATTEMPTS _ http_proxy";
  const settings = Object.fromEntries(names.split(" ").map((name) => [name, "x"]));
  assert.deepEqual(problemsOf("ambient", settings), []);
});

test("A hop's prefix before a name that nobody else uses is a fault even in the environment", () => {
  assert.deepEqual(problemsOf("ambient", { EDGE_FOO: "1" }), [
    "EDGE_FOO is not a setting. .env.example lists them all.",
  ]);
});

test("A hop that the chain is without is said to be missing, also where its name is as short as another's; a slip in it is a slip", () => {
  assert.deepEqual(problemsOf("typed", { FOO_MAX_ATTEMPTS: "1" }), [
    'FOO_MAX_ATTEMPTS: the chain has no hop called "foo" (TIERS=edge,api). Name it in TIERS, or leave the setting out.',
  ]);
  assert.deepEqual(problemsOf("typed", { EDG_MAX_ATTEMPTS: "1" }), [
    "EDG_MAX_ATTEMPTS is not a setting. Did you mean EDGE_MAX_ATTEMPTS?",
  ]);
});

test("A knob of the whole run cannot be set for one hop", () => {
  for (const kind of ["file", "typed", "ambient"] as const) {
    assert.deepEqual(problemsOf(kind, { API_CAPACITY: "1" }), [
      "API_CAPACITY: CAPACITY holds for the whole run and cannot be set for one hop. Leave the prefix out.",
    ]);
  }
});

test("A setting for a hop that the chain is without is a fault that names the chain", () => {
  const message =
    'GATEWAY_MAX_ATTEMPTS: the chain has no hop called "gateway" (TIERS=edge,api). Name it in TIERS, or leave the setting out.';
  assert.deepEqual(problemsOf("typed", { GATEWAY_MAX_ATTEMPTS: "2" }), [message]);
  assert.equal(problemsOf("typed", { EDGE_MAX_ATTEMPTS: "2", TIERS: "api" }).length, 1);
});

test("A policy's setting for a hop that the user has taken out of the chain is a leftover", () => {
  const chosen: Layer = { kind: "typed", settings: { TIERS: "front,back" } };
  assert.deepEqual(problemsOf("file", { EDGE_MAX_ATTEMPTS: "2", GATEWAY_MAX_ATTEMPTS: "1" }, chosen), []);
  assert.deepEqual(problemsOf("file", { TIERS: "front,back", EDGE_MAX_ATTEMPTS: "2" }), []);
  assert.equal(problemsOf("file", { TIERS: "front,back", GATEWAY_MAX_ATTEMPTS: "2" }).length, 1);
});

test("Slips are counted: letters in, out, replaced or swapped", () => {
  const pairs: readonly [string, string, number][] = [
    ["", "", 0],
    ["RATE", "RATE", 0],
    ["", "RATE", 4],
    ["RAT", "RATE", 1],
    ["RATES", "RATE", 1],
    ["DATE", "RATE", 1],
    ["RAET", "RATE", 1],
    ["ARET", "RATE", 3],
    ["TRIES", "TIERS", 2],
    ["MAX_ATTEMTP", "MAX_ATTEMPTS", 2],
    ["WORLD", "RATE", 5],
  ];
  for (const [a, b, slips] of pairs) {
    assert.equal(slipsBetween(a, b), slips, `${a} ${b}`);
    assert.equal(slipsBetween(b, a), slips, `${b} ${a}`);
  }
});

test("A name that every object knows is a stranger like any other", () => {
  for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
    const settings = Object.fromEntries([[name, "1"]]);
    for (const kind of ["file", "typed"] as const) {
      assert.deepEqual(problemsOf(kind, settings), [`${name} is not a setting. .env.example lists them all.`]);
    }
    assert.deepEqual(problemsOf("ambient", settings), []);
  }
});

test("A name of any length is told in one short line, without a search for what it meant", () => {
  const name = "A_".repeat(100_000);
  for (const kind of ["file", "typed"] as const) {
    const [problem = "", ...more] = problemsOf(kind, { [name]: "1" });
    assert.match(problem, /^(A_){20}… \(200000 characters\) is not a setting/);
    assert.deepEqual([more, problem.length < 120], [[], true]);
  }
  assert.deepEqual(problemsOf("ambient", { [name]: "1" }), []);
});
