/** What the fuzz is made of: words that mean something here, or to JavaScript, and nonsense between them. */
import fc from "fast-check";
import { KNOBS } from "../../../services/settings/knobs/knobs.ts";

const INHERITED = ["constructor", "__proto__", "prototype", "toString", "hasOwnProperty", "valueOf", "then", "length"];

/** Texts of every kind: of any character, long, empty, or as every object knows them. */
export const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    ...INHERITED,
    "",
    " ",
    "\u001b[2J",
    "null",
    "NaN",
    "-0",
    "1e999",
    "0x10",
    "$(id)",
    "../../etc/passwd",
  ),
  fc.nat(20_000).map((n) => "A_".repeat(n)),
);

const knobNames = KNOBS.map(({ name }) => name);
const prefixes = ["", "EDGE_", "API_", "GATEWAY_", "CONSTRUCTOR_", "_", "edge_"];

/** Mostly names of settings. */
export const settingName = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(fc.constantFrom(...prefixes), fc.constantFrom(...knobNames)).map((parts) => parts.join("")),
  },
  { weight: 1, arbitrary: fc.constantFrom(...knobNames).map((name) => name.slice(1)) },
  { weight: 1, arbitrary: anyText },
);

const number = fc.oneof(
  fc.integer({ min: 0, max: 300 }),
  fc.constantFrom(-1, 0, 0.5, 1, 1e-9, 1e6, 1e15, Number.MAX_SAFE_INTEGER, Infinity, Number.NaN),
);
const part = fc.oneof(
  number.map(String),
  fc.constantFrom("at", "by", "s", "rate", "capacity", "error", "latency", "straggler", ";", " ", ",", "=", "-", "."),
);
const step = fc.tuple(number, fc.constantFrom("rate", "capacity", "error", "latency", "straggler"), number);

/** Timelines and profiles, right and nearly right. */
export const timelineText = fc.oneof(
  fc
    .array(
      step.map(([at, word, value]) => `at ${at}s ${word} ${value}`),
      { maxLength: 5 },
    )
    .map((all) => all.join("; ")),
  fc.array(part, { maxLength: 30 }).map((all) => all.join(" ")),
  fc.nat(4000).map((n) => `at ${"1".repeat(n)}s rate 1`),
  anyText,
);

const choices = KNOBS.flatMap((knob) => (knob.kind === "choice" ? knob.choices : []));
const address = fc
  .tuple(
    fc.constantFrom("redis", "rediss", "http", "https", "ftp", "javascript"),
    fc.constantFrom("", "u:p@", "@", "u@"),
    fc.constantFrom("", "h", "127.0.0.1", "[::1]", "a b", "h,h"),
    fc.constantFrom("", ":1", ":65535", ":99999", ":x"),
    fc.constantFrom("", "/", "/0", "/abc", "/1?password=x", "#x"),
  )
  .map(([scheme, user, host, port, rest]) => `${scheme}://${user}${host}${port}${rest}`);

export const settingValue = fc.oneof(
  { weight: 3, arbitrary: number.map(String) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(...choices, "edge", "constructor", "edge,api", "constructor,prototype", "a,a"),
  },
  { weight: 1, arbitrary: address },
  { weight: 1, arbitrary: timelineText },
  { weight: 1, arbitrary: anyText },
);

/** Some settings by name; a name like __proto__ is one, too. */
export const someSettings = fc
  .array(fc.tuple(settingName, settingValue), { maxLength: 6 })
  .map((entries) => Object.fromEntries(entries));
