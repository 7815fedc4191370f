/** One setting's text, by the rule of its knob. */
import { addressShown, withoutSecrets } from "./addresses.ts";
import { ruleOf, type Knob, type NumberRange } from "./knobs/knob.ts";

export interface Parsed {
  /** The one way to write it: reading it again gives the same value. */
  readonly text: string;
  /** Infinity where the text is the knob's word, off or auto. */
  readonly value: number | boolean | string;
}

export type Parsing = { readonly parsed: Parsed } | { readonly problem: string };

/** "0x10", "1e999", "Infinity" and "1_000" are slips here, not numbers. */
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

const FLAGS: Readonly<Record<string, boolean>> = { "0": false, "1": true, false: false, true: true };

/** What is printed of a wrong value: enough to recognise it. */
const SHOWN = 120;

function shown(knob: Knob, given: string): string {
  const isAddress = knob.kind === "text" && knob.isAddress === true;
  const text = isAddress ? addressShown(given) : withoutSecrets(given.slice(0, 10 * SHOWN));
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
}

function parseNumber({ min, max, whole, word }: NumberRange, text: string): Parsed | undefined {
  if (word !== undefined && text === word) return { text, value: Infinity };
  if (!DECIMAL.test(text)) return undefined;
  // Adding 0 makes 0 of -0.
  const value = Number(text) + 0;
  if (!(value >= min && value <= max)) return undefined;
  if (whole === true && !Number.isInteger(value)) return undefined;
  const canonical = String(value);
  return { text: canonical.includes("e") ? text : canonical, value };
}

function parseValue(knob: Knob, text: string): Parsed | undefined {
  switch (knob.kind) {
    case "number":
      return parseNumber(knob.range, text);
    case "flag": {
      const value = Object.hasOwn(FLAGS, text) ? FLAGS[text] : undefined;
      return value === undefined ? undefined : { text: value ? "1" : "0", value };
    }
    case "choice":
      return knob.choices.includes(text) ? { text, value: text } : undefined;
    case "text": {
      const canonical = knob.canonical?.(text) ?? text;
      return { text: canonical, value: canonical };
    }
  }
}

/** What a text may not hold, wherever it is: it would break a file with one setting a line. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/;
const LONGEST = 4096;

function textProblems(knob: Knob, text: string): readonly string[] {
  if (CONTROL.test(text)) return ["it has a line end or another control character"];
  if (text.length > LONGEST) return [`it is longer than ${LONGEST} characters`];
  return knob.kind === "text" ? knob.problems(text) : [];
}

/**
 * Reads `raw` as the value of `knob`; spaces around it do not count.
 * @param name what the setting is called where it stands, a hop's prefix included; for messages
 */
export function parseSetting(knob: Knob, name: string, raw: string): Parsing {
  const text = raw.trim();
  const faults = textProblems(knob, text);
  const parsed = faults.length === 0 ? parseValue(knob, text) : undefined;
  if (parsed !== undefined) return { parsed };
  const rule = `it must be ${ruleOf(knob)}`;
  if (text === "") return { problem: `${name} is empty: ${rule}. Unset it for the default, ${knob.default}.` };
  const why = faults.length === 0 ? "" : ` (${faults.join("; ")})`;
  return { problem: `${name}=${shown(knob, text)}: ${rule}${why}.` };
}
