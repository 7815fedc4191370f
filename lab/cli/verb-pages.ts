/** What is written from the registry of verbs: the usage, what make and bin/lab know of them, README's table, the index of docs. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { narrowText, TERMINAL_WIDTH } from "../../loadgen/output/narrow-text.ts";
import { VERB_GROUPS, type Verb } from "../runs/verb.ts";
import { labProgram } from "./program.ts";
import { VERBS } from "./verbs.ts";

const WRITTEN = 'Written by "npm run docs" from lab/cli/verbs.ts.';
const typed = ({ name, make }: Verb): string => `${make ? "make" : "bin/lab"} ${name}`;

/** The verbs that people type, by group. */
const shown = VERB_GROUPS.filter((group) => group !== "inside").map((group) => ({
  group,
  verbs: VERBS.filter((verb) => verb.group === group),
}));

const USAGE_HEAD = "make VERB [NAME=value …]        or        bin/lab VERB [NAME=value …]";

const USAGE_FOOT = `* takes words, so it stands behind bin/lab alone.
bin/lab VERB --help shows what a verb takes.

Every knob of .env.example can stand behind a verb:
  make break CAPACITY=120 FAULT_TIMELINE="at 5s capacity 60"
A policy is a file in policies/; your own policies/mine.env runs as
  make run POLICY=mine
What production clients do is in policies/production (docs/catalogue.md):
  make run POLICY=production/undici
WORLD=compose or WORLD=process says where the chain runs; otherwise Compose
where an engine answers.
`;

/** What `bin/lab help` prints; it has to print it where there is no Node. */
function usage(): string {
  const named = ({ name, make }: Verb): string => `${name}${make ? "" : " *"}`;
  const width = Math.max(...shown.flatMap(({ verbs }) => verbs.map((verb) => named(verb).length)));
  const groups = shown.map(({ group, verbs }) => {
    const lines = verbs.map((verb) => {
      const more = verb.page === undefined ? "" : ` (${verb.page})`;
      const indent = " ".repeat(width + 4);
      const text = narrowText(`${indent}${verb.summary}${more}`);
      return `  ${named(verb).padEnd(width)}  ${text.slice(indent.length)}`;
    });
    return [`${group}:`, ...lines].join("\n");
  });
  return [USAGE_HEAD, ...groups, USAGE_FOOT].join("\n\n");
}

/** What make includes, and bin/lab reads: each verb once, by where it runs. */
function verbsMk(): string {
  const names = (verbs: readonly Verb[]): string => verbs.map(({ name }) => name).join(" ");
  const byPlace = (["shell", "node", "world"] as const).map(
    (place) => `RUN_IN_${place.toUpperCase()} := ${names(VERBS.filter(({ runsIn }) => runsIn === place))}`,
  );
  return [`# ${WRITTEN}`, `VERBS := ${names(VERBS.filter(({ make }) => make))}`, ...byPlace, ""].join("\n");
}

function readmeTable(): string {
  const rows = shown.flatMap(({ group, verbs }) => [
    `| **${group}** | |`,
    ...verbs.map(
      (verb) => `| \`${typed(verb)}\` | ${verb.summary}${verb.page === undefined ? "" : ` ([more](${verb.page}))`} |`,
    ),
  ]);
  const foot = "What each verb takes: [docs/verbs.md](docs/verbs.md). All pages: [docs](docs/README.md).";
  return ["| verb | what |", "|---|---|", ...rows, "", foot].join("\n");
}

/** README with a new table between the marks. */
function readme(text: string): string {
  const parts = /^(.*<!-- verbs: [^\n]* -->\n)[^]*(\n<!-- \/verbs -->.*)$/s.exec(text);
  if (parts === null) throw new Error("README.md has lost its marks <!-- verbs: … --> and <!-- /verbs -->");
  return `${parts[1]}${readmeTable()}${parts[2]}`;
}

/** What `--help` says of each verb; bin/lab prints a part of this page, so that nothing has to be built for it. */
function verbsPage(): string {
  const lab = labProgram({ root: "", environment: {} });
  const parts = VERBS.map(({ name, summary, words }) => {
    const command = lab.commands.find((one) => one.name() === name);
    const alone = `Usage: bin/lab ${`${name} ${words ?? "[NAME=value …]"}`.trim()}\n\n${narrowText(summary)}\n`;
    const help = command?.configureOutput({ getOutHelpWidth: () => TERMINAL_WIDTH }).helpInformation() ?? alone;
    return `## ${name}\n\`\`\`text\n${help}\`\`\`\n`;
  });
  const head = `# What each verb takes\n\n<!-- ${WRITTEN} -->\n\nSettings (\`NAME=value\`, [all of them](knobs.md)) can stand behind each of them as well.\n`;
  return [head, ...parts].join("\n");
}

/** docs/README.md: the pages by the verbs that they explain, and the others by their titles. */
function docsIndex(docs: string): string {
  const pages = readdirSync(docs).filter((name) => name.endsWith(".md") && name !== "README.md");
  const linkTo = (name: string): string => {
    const title = /^# (.+)$/m.exec(readFileSync(join(docs, name), "utf8"))?.[1] ?? name;
    return `[${title}](${name})`;
  };
  const ofVerbs = pages.map((name) => ({
    name,
    verbs: VERBS.filter(({ page }) => page === `docs/${name}`).map((verb) => `\`${typed(verb)}\``),
  }));
  const lines = (some: typeof ofVerbs): string[] =>
    some.map(({ name, verbs }) => `- ${[linkTo(name), ...verbs].join(" · ")}`);
  return [
    "# All pages",
    `<!-- ${WRITTEN} -->`,
    ["By verb:", "", ...lines(ofVerbs.filter(({ verbs }) => verbs.length > 0))].join("\n"),
    ["The rest:", "", ...lines(ofVerbs.filter(({ verbs }) => verbs.length === 0))].join("\n"),
    "For a room: [a runbook](workshop/runbook.md) and [exercises](workshop/exercises.md).\n",
  ].join("\n\n");
}

/** Each file that is written from the registry, by its path from the project's folder `root`, and its text. */
export const verbPages = (root: string): Readonly<Record<string, () => string>> => ({
  "lab/cli/verbs.mk": verbsMk,
  "lab/cli/usage.txt": usage,
  "docs/verbs.md": verbsPage,
  "docs/README.md": () => docsIndex(join(root, "docs")),
  "README.md": () => readme(readFileSync(join(root, "README.md"), "utf8")),
});
