/** What shows a chain or a run: its page, one request of it, and the chain live. */
import { effectiveSettings } from "../../services/settings/effective.ts";
import { surroundings } from "../../services/settings/overrides.ts";
import { policyNames } from "../../services/settings/policy-files.ts";
import { ConfigError } from "../../services/settings/values.ts";
import { LIVE_SETTINGS, live } from "../live/live.ts";
import { reportCommand } from "../report/command.ts";
import { listenForInterrupts } from "../runs/interrupt.ts";
import type { CommandHome, Verb } from "../runs/verb.ts";
import { traceCommand } from "../trace/command.ts";

const print = (text: string): void => console.log(text);
const say = (text: string): void => console.error(text);
const reportsDirOf = (home: CommandHome): string => effectiveSettings(home)["REPORTS_DIR"] ?? "reports";

interface ReportOptions {
  readonly json?: true;
  readonly html?: true;
}

export const verbReport: Verb = {
  name: "report",
  summary: "the page of the latest run or comparison: prints where it is",
  group: "look at it",
  page: "docs/report.md",
  make: true,
  runsIn: "shell",
  add: (command, home) => {
    command
      .argument("[folder]", "a run's folder, or one with several runs; the latest by default")
      .option("--json", "machine-readable output alone on stdout")
      .option("--html", "the page itself on stdout; nothing is written")
      .action((folder: string | undefined, { json, html }: ReportOptions) => {
        const form = html ? "html" : json ? "json" : "path";
        return reportCommand({ folder, reportsDir: reportsDirOf(home), form, print });
      });
  },
};

export const verbTrace: Verb = {
  name: "trace",
  summary: "one request's tree of attempts, from the latest run: bin/lab trace s1-17",
  group: "look at it",
  page: "docs/traces.md",
  make: false,
  runsIn: "node",
  add: (command, home) => {
    command
      .argument("<request id>", "as in records.ndjson, such as s1-17")
      .argument("[folder]", "a run's folder, or one with several, of which it takes the last; the latest by default")
      .option("--json", "the same for programs")
      .action((id: string, folder: string | undefined, { json }: { json?: true }) =>
        traceCommand({ id, folder, reportsDir: reportsDirOf(home), json: json === true, print, say }),
      );
  },
};

async function showLive(home: CommandHome, { port, json }: { port: string; json?: true }): Promise<void> {
  if (!/^\d{1,5}$/u.test(port) || Number(port) > 65_535) {
    throw new ConfigError([`--port ${port}: a number from 0 to 65535 is needed (0 picks a free one).`]);
  }
  const { root, environment } = home;
  const settingsFor = (policy?: string): Record<string, string> => {
    const chosen = policy === undefined ? {} : { POLICY: policy };
    return effectiveSettings({ root, environment: { ...LIVE_SETTINGS, ...environment, ...chosen } });
  };
  process.exitCode = await live({
    run: {
      env: settingsFor(),
      ambient: surroundings(environment),
      loadArguments: [],
      ...listenForInterrupts(say),
      say,
    },
    policies: policyNames(root),
    settingsFor,
    port: Number(port),
    ready: (url) => print(json ? JSON.stringify({ url }) : `Live: ${url} (Ctrl-C ends it)`),
  });
}

export const verbLive: Verb = {
  name: "live",
  summary: "a page on loopback that shows the storm live, with switches for policy and faults",
  group: "look at it",
  page: "docs/live.md",
  make: true,
  runsIn: "node",
  add: (command, home) => {
    command
      .option("--port <number>", "port of the page; 0 picks a free one", "0")
      .option("--json", "the page's address as JSON on stdout")
      .action((options: { port: string; json?: true }) => showLive(home, options));
  },
};
