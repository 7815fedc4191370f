/** `.env.example` and docs/knobs.md, written from the table of knobs: they can only say what holds. */
import { hopName, ruleOf, type Knob } from "../../services/settings/knobs/knob.ts";
import { KNOB_GROUPS } from "../../services/settings/knobs/knobs.ts";

/** Each name that has a default, with it: EDGE_ATTEMPT_TIMEOUT_MS beside ATTEMPT_TIMEOUT_MS. */
function defaultsOf(knob: Knob): [name: string, text: string][] {
  const hops = Object.entries(knob.hopDefaults ?? {});
  return [[knob.name, knob.default], ...hops.map(([hop, text]): [string, string] => [hopName(hop, knob.name), text])];
}

/** A value as it is written in a file that a shell, dotenv and Compose read alike. */
function quoted(text: string): string {
  return /^[\w.,:/-]*$/.test(text) ? text : JSON.stringify(text);
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const EXAMPLE_HEAD = `# Every setting of the lab with its default. Copy this file to .env, or some lines of it to policies/mine.env, and take
# the "# " away from what you change. The command line wins over the environment, that over a policy, that over .env.
#
# Settings "at each hop" can be made for one hop alone, with its name before them: EDGE_MAX_ATTEMPTS wins over MAX_ATTEMPTS.
# Written by "npm run docs" from services/settings/knobs/knobs.ts.`;

/** The text of .env.example. */
export function envExample(): string {
  const groups = KNOB_GROUPS.map(({ title, knobs }) => {
    const entries = knobs.map((knob) => {
      const settings = defaultsOf(knob).map(([name, text]) => `# ${name}=${quoted(text)}`);
      return [`# ${knob.doc}`, `# ${sentence(ruleOf(knob))}.`, ...settings].join("\n");
    });
    return [`# --- ${title} ---`, ...entries].join("\n\n");
  });
  return `${[EXAMPLE_HEAD, ...groups].join("\n\n")}\n`;
}

const PAGE_HEAD = `# Knobs

Every setting is one variable. It can stand behind a verb (\`make run RATE=90\`), in the environment, in a policy
(\`policies/mine.env\`, one \`NAME=value\` a line) or in \`.env\`; the former wins over the latter.

A setting marked ◆ can be made for one hop alone, with the hop's name in capitals before it: \`EDGE_MAX_ATTEMPTS\` wins over
\`MAX_ATTEMPTS\`, wherever either of them stands. The hops are those of \`TIERS\`.

Numbers are plain decimals (\`0.5\`, not \`5e-1\`). What is misspelt, malformed, out of range, contradictory or without effect
is a fault: all faults are listed, nothing is started, and the exit code is 2.

<!-- Written by "npm run docs" from services/settings/knobs/knobs.ts. -->
`;

const cell = (text: string): string => text.replaceAll("|", "\\|");

function row(knob: Knob): string {
  const defaults = defaultsOf(knob).map(([name, text]) => {
    const shown = text === "" ? "(empty)" : `\`${text}\``;
    return name === knob.name ? shown : `${name}: ${shown}`;
  });
  const name = `\`${knob.name}\`${knob.perHop === true ? " ◆" : ""}`;
  return `| ${[name, defaults.join("; "), sentence(ruleOf(knob)), knob.doc].map(cell).join(" | ")} |`;
}

/** The text of docs/knobs.md. */
export function knobsPage(): string {
  const groups = KNOB_GROUPS.map(({ title, knobs }) =>
    [`## ${title}`, "", "| name | default | it must be | meaning |", "|---|---|---|---|", ...knobs.map(row)].join("\n"),
  );
  return `${[PAGE_HEAD, groups.join("\n\n")].join("\n")}\n`;
}

/** The files that are written from the table, by their paths in the project. */
export const KNOB_PAGES: Readonly<Record<string, () => string>> = {
  ".env.example": envExample,
  "docs/knobs.md": knobsPage,
};
