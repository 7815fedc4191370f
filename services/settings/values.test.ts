import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { ruleOf, type Knob, type NumberKnob } from "./knobs/knob.ts";
import { KNOBS } from "./knobs/knobs.ts";
import { ConfigError, readValues } from "./values.ts";

type Env = Record<string, string | undefined>;

function problemsOf(env: Env): readonly string[] {
  try {
    readValues(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

/** The one fault of `name` set to `text`: it must name the variable, the value and the rule. */
function assertRefused(knob: Knob, name: string, text: string): void {
  const problems = problemsOf({ [name]: text });
  assert.equal(problems.length, 1, `${name}=${JSON.stringify(text)}: ${problems.join("\n")}`);
  const [problem = ""] = problems;
  const value = text.trim() === "" ? `${name} is empty` : `${name}=${JSON.stringify(text.trim())}`;
  assert.ok(problem.startsWith(value), problem);
  assert.ok(problem.includes(`it must be ${ruleOf(knob)}`), problem);
}

const isNumber = (knob: Knob): knob is NumberKnob => knob.kind === "number";

/** Nonsense for every number, whatever its range. */
const NO_NUMBERS = [
  "",
  " ",
  "abc",
  "NaN",
  "Infinity",
  "-Infinity",
  "0x10",
  "1e3",
  "1e999",
  "1_000",
  "1,5",
  "--1",
  "5ms",
  "null",
];

function wrongNumbers({ range: { min, max, whole, word } }: NumberKnob): string[] {
  const words = ["off", "auto", "OFF"].filter((text) => text !== word);
  const outside = [String(max + 1), "9".repeat(100), "-1", `-${max}`, ...(min > 0 ? ["0", String(min / 2)] : [])];
  const broken = whole === true ? ["1.5", String(min + 0.5)] : [];
  return [...NO_NUMBERS, ...words, ...outside, ...broken];
}

const WRONG_TEXTS: Readonly<Record<string, readonly string[]>> = {
  POLICY: ["", "../secret", "a/b", "a b", ".env", "x".repeat(65), "naïve"],
  SCENARIO: ["", "two words", "../x", "-x"],
  REPORTS_DIR: ["", "a\nb", "a\0b"],
  TIERS: ["", "edge,", "edge,edge", "Edge", "1edge", "edge,backend", "load", "a,b,c,d,e,f,g", "edge;api", "ed-ge"],
  RETRY_ON: ["", "often", "5xx,", "200", "5xx;429", "99"],
  RATE_PROFILE: ["nonsense", "at 5 rate 120", "at -1s rate 5", "at 5s rate NaN", "at 5s rate 1e9", "at 5s capacity 3"],
  FAULT_TIMELINE: [
    "nonsense",
    "at 5s",
    "at 5s capacity 0",
    "at 5s error 2",
    "at 5s error NaN",
    "at -5s error 1",
    "at 5s speed 3",
  ],
  HOST: ["", "a b", "http://x", "host/path"],
  UPSTREAM_URL: ["nonsense", "ftp://x", "127.0.0.1:80", "http://127.0.0.1:1,nonsense"],
  BUDGET_STORE_URL: ["nonsense", "http://127.0.0.1:6379", "redis://h/abc", "redis://h/12345", "redis://"],
  CHAIN: ["nonsense", "edge", "edge=", "edge=ftp://x", "=http://x", "edge=http://a,edge=http://b", "EDGE=http://a"],
};

function wrongValues(knob: Knob): readonly string[] {
  switch (knob.kind) {
    case "number":
      return wrongNumbers(knob);
    case "flag":
      return ["", "yes", "no", "2", "-1", "on", "TRUE", "NaN", "constructor"];
    case "choice":
      return ["", "nonsense", "-1", "NaN", `${knob.choices[0]} `.repeat(2), knob.choices[0]?.toUpperCase() ?? ""];
    case "text":
      return WRONG_TEXTS[knob.name] ?? assert.fail(`${knob.name} has no wrong texts in this test`);
  }
}

describe("A wrong value is one clear fault, for", () => {
  for (const knob of KNOBS) {
    test(knob.name, () => {
      const wrong = wrongValues(knob);
      assert.ok(wrong.length >= 3);
      for (const text of wrong) assertRefused(knob, knob.name, text);
    });
  }
  for (const knob of KNOBS.filter(({ perHop }) => perHop === true)) {
    test(`EDGE_${knob.name}`, () => {
      for (const text of wrongValues(knob)) assertRefused(knob, `EDGE_${knob.name}`, text);
    });
  }
});

/** Settings that a value at the edge of its range needs beside it in order to make sense. */
const COMPANY: Readonly<Record<string, Env>> = {
  RATE: { DURATION_S: "1" },
  DURATION_S: { RATE: "1" },
  MIN_ATTEMPT_MS: { ATTEMPT_TIMEOUT_MS: "off", EDGE_ATTEMPT_TIMEOUT_MS: "off" },
  SLOW_REPLICA: { REPLICAS: "8", STRAGGLER_MS: "100" },
  WEAK_REPLICA: { REPLICAS: "8" },
};

/** Values by names that the compiler does not know to be knobs. */
const anyName = (env: Record<string, string | undefined>) =>
  readValues(env) as unknown as Record<"number" | "flag" | "text", (name: string, hop?: string) => unknown>;

describe("The ends of a range belong to it, for", () => {
  for (const knob of KNOBS.filter(isNumber)) {
    test(knob.name, () => {
      for (const end of [knob.range.min, knob.range.max]) {
        const values = anyName({ ...COMPANY[knob.name], [knob.name]: String(end) });
        assert.equal(values.number(knob.name), end);
      }
      if (knob.range.word !== undefined)
        assert.equal(anyName({ [knob.name]: knob.range.word }).number(knob.name), Infinity);
    });
  }
});

test("An empty number says how to get the default", () => {
  assert.match(problemsOf({ RATE: "" }).join(), /Unset it for the default, 60\./);
});

test("A wrong value that is very long is shown in part", () => {
  const [problem = ""] = problemsOf({ RATE: "9".repeat(10_000) });
  assert.ok(problem.startsWith('RATE="999'));
  assert.ok(problem.length < 300, problem);
});

test("The first default of every knob is a value that it accepts", () => {
  assert.deepEqual(problemsOf({}), []);
  for (const knob of KNOBS) assert.equal(readValues({}).effective()[knob.name], knob.default);
});

test("All faults are told at once, in whatever settings they are", () => {
  const problems = problemsOf({
    RATE: "abc",
    CAPACITY: "-1",
    EDGE_BACKOFF: "sideways",
    TIERS: "edge,edge",
    MAX_ATEMPTS: "4",
    EDGE_RATE: "5",
    LOAD: "closed",
    ARRIVALS: "poisson",
  }).join("\n");
  for (const part of ['RATE="abc"', 'CAPACITY="-1"', 'EDGE_BACKOFF="sideways"', '"edge" stands twice']) {
    assert.ok(problems.includes(part), part);
  }
  assert.match(problems, /MAX_ATEMPTS is not a setting/);
  assert.match(problems, /EDGE_RATE: RATE holds for the whole run/);
  assert.match(problems, /LOAD=closed does not go with ARRIVALS=poisson/);
  assert.equal(problems.split("\n").length, 7);
});

test("A wrong value is not blamed a second time for what it would contradict", () => {
  const problems = problemsOf({ BACKOFF: "full", BACKOFF_CAP_MS: "abc", BACKOFF_BASE_MS: "5000" });
  assert.equal(problems.length, 1);
  assert.match(problems[0] ?? "", /^BACKOFF_CAP_MS="abc"/);
});

test("A hop's own setting wins at that hop, and only there", () => {
  const values = readValues({
    MAX_ATTEMPTS: "2",
    API_MAX_ATTEMPTS: "5",
    API_RETRY_OWNER: "false",
    EDGE_BACKOFF: "full",
  });
  assert.equal(values.number("MAX_ATTEMPTS", "edge"), 2);
  assert.equal(values.number("MAX_ATTEMPTS", "api"), 5);
  assert.equal(values.flag("RETRY_OWNER", "api"), false);
  assert.equal(values.flag("RETRY_OWNER", "edge"), true);
  assert.deepEqual([values.text("BACKOFF", "edge"), values.text("BACKOFF", "api")], ["full", "fixed"]);
});

test("The edge has an attempt timeout of its own by default, which the setting for all hops leaves alone", () => {
  const values = readValues({ ATTEMPT_TIMEOUT_MS: "300" });
  assert.equal(values.number("ATTEMPT_TIMEOUT_MS", "edge"), 700);
  assert.equal(values.number("ATTEMPT_TIMEOUT_MS", "api"), 300);
});

test("Every hop of TIERS has a prefix", () => {
  const values = readValues({ TIERS: "gateway, edge,api", GATEWAY_MAX_ATTEMPTS: "1" });
  assert.equal(values.text("TIERS"), "gateway,edge,api");
  assert.equal(values.number("MAX_ATTEMPTS", "gateway"), 1);
});

test("isSet tells what the environment says from what holds by default", () => {
  const values = readValues({ MAX_ATTEMPTS: "3", EDGE_BACKOFF: "fixed" });
  assert.deepEqual(
    [values.isSet("MAX_ATTEMPTS"), values.isSet("MAX_ATTEMPTS", "edge"), values.isSet("RATE")],
    [true, false, false],
  );
  assert.deepEqual([values.isSet("BACKOFF"), values.isSet("BACKOFF", "edge")], [false, true]);
});

test("Flags may be written in two ways", () => {
  const texts = ["0", "1", "false", "true"];
  assert.deepEqual(
    texts.map((text) => readValues({ DROP_EXPIRED: text }).flag("DROP_EXPIRED")),
    [false, true, false, true],
  );
});

test("A name that is no knob is a programmer's mistake, not a fault of the input", () => {
  assert.throws(() => anyName({}).number("NO_KNOB"), /NO_KNOB is not a knob/);
  assert.throws(() => anyName({}).number("EDGE_ATTEMPT_TIMEOUT_MS"), /is not a knob/);
});

function someText(knob: Knob): fc.Arbitrary<string> {
  switch (knob.kind) {
    case "number": {
      const { min, max, whole, word } = knob.range;
      const number = whole === true ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true });
      const text = number.map((value) => (String(value).includes("e") ? String(max) : String(value)));
      return word === undefined ? text : fc.oneof(fc.constant(word), text);
    }
    case "flag":
      return fc.constantFrom("0", "1", "true", "false");
    case "choice":
      return fc.constantFrom(...knob.choices);
    case "text":
      return fc.constant(knob.default);
  }
}

const HOP_NAMES = KNOBS.filter(({ perHop }) => perHop === true).flatMap((knob) =>
  ["EDGE", "API"].map((hop): [string, Knob] => [`${hop}_${knob.name}`, knob]),
);
/** The first hop is one: any other number is refused. */
const ALWAYS_WRONG = "EDGE_INSTANCES";
const NAMES = [...KNOBS.map((knob): [string, Knob] => [knob.name, knob]), ...HOP_NAMES].filter(
  ([name]) => name !== ALWAYS_WRONG,
);
/** Some at a time: of all knobs together, each with its own demands, hardly any settings would make sense. */
const anySettings = fc
  .uniqueArray(fc.constantFrom(...NAMES), { maxLength: 30, selector: ([name]) => name })
  .chain((some) => fc.record(Object.fromEntries(some.map(([name, knob]) => [name, someText(knob)]))));

test("The effective settings, read again, give the same", () => {
  let read = 0;
  fc.assert(
    fc.property(anySettings, (settings) => {
      if (problemsOf(settings).length > 0) return;
      read += 1;
      const effective = readValues(settings).effective();
      assert.deepEqual(readValues(effective).effective(), effective);
      const [values, again] = [anyName(settings), anyName(effective)];
      for (const { name, kind } of KNOBS) {
        const get = kind === "number" ? "number" : kind === "flag" ? "flag" : "text";
        for (const hop of [undefined, "edge", "api"]) assert.equal(again[get](name, hop), values[get](name, hop));
      }
    }),
    { numRuns: 1000, seed: 1 },
  );
  assert.ok(read >= 100, `only ${read} of the settings made sense together`);
});
