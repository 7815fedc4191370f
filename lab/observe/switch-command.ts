/** `lab switch`: another policy on a chain that runs, live. bin/lab uses it while `make dash` is up. */
import { effectiveSettings } from "../../services/settings/effective.ts";
import type { Verb } from "../runs/verb.ts";

/** Emptying the queue of a storm takes a second or two. */
const PATIENCE_MS = 20_000;

/** What is wrong, for a person; undefined where the chain has taken the policy. */
async function switchTo(
  url: string,
  settings: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  try {
    const response = await fetch(new URL("/policy", url), {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(settings),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (response.ok) return undefined;
    const { detail } = (await response.json()) as { detail?: string };
    return detail ?? response.statusText;
  } catch (error) {
    return `${url} does not answer: ${error instanceof Error ? error.message : String(error)}`;
  }
}

interface Now {
  readonly policy: string | undefined;
  /** Calls per second. */
  readonly capacity: number;
  /** 0 to 1. */
  readonly errorRate: number;
}

const nowOf = ({ POLICY, CAPACITY, ERROR_RATE }: Readonly<Record<string, string>>): Now => ({
  policy: POLICY,
  capacity: Number(CAPACITY),
  errorRate: Number(ERROR_RATE),
});

const nowText = ({ policy, capacity, errorRate }: Now): string =>
  `The chain runs under policies/${policy}.env now; capacity ${capacity}/s, errors ${errorRate}.`;

export const verbSwitch: Verb = {
  name: "switch",
  summary: "another policy, capacity and error rate on a chain that runs",
  group: "inside",
  make: false,
  runsIn: "world",
  add: (command, home) => {
    command
      .argument("<url>", "the traffic program of a chain that runs")
      .option("--json", "what the chain runs under now, alone on stdout")
      .action(async (url: string, { json }: { json?: true }) => {
        const settings = effectiveSettings(home);
        const problem = await switchTo(url, settings);
        if (problem === undefined) {
          console.log(json ? JSON.stringify(nowOf(settings)) : nowText(nowOf(settings)));
          return;
        }
        console.error(`The policy was not switched: ${problem}`);
        process.exitCode = 1;
      });
  },
};
