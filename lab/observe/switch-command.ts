/** `lab switch`: another policy on a chain that runs, live. bin/lab uses it while `make dash` is up. */
import type { Command } from "commander";
import { effectiveSettings } from "../settings.ts";

/** Emptying the queue of a storm takes a second or two. */
const PATIENCE_MS = 20_000;

export interface SwitchParts {
  readonly root: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

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

export function addSwitch(lab: Command, { root, environment }: SwitchParts): void {
  lab
    .command("switch")
    .argument("<url>", "the traffic program of a chain that runs")
    .description("another policy, capacity and error rate on a chain that runs")
    .action(async (url: string) => {
      const settings = effectiveSettings({ root, environment });
      const problem = await switchTo(url, settings);
      if (problem === undefined) {
        const { POLICY, CAPACITY, ERROR_RATE } = settings;
        console.log(
          `The chain runs under policies/${POLICY}.env now; capacity ${CAPACITY}/s, errors ${ERROR_RATE}.`,
        );
        return;
      }
      console.error(`The policy was not switched: ${problem}`);
      process.exitCode = 1;
    });
}
