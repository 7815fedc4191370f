/** A chain that stays, for requests by hand. Its process holds the lock .lab/up, by which `make down` finds it. */
import { keepUp } from "../worlds/process/world.ts";
import { Failure, markDown, markUp } from "../worlds/process/up-chain.cjs";
import { listenForInterrupts } from "../runs/interrupt.ts";
import type { Verb } from "../runs/verb.ts";
import { surroundings } from "../../services/settings/overrides.ts";
import { KnownError } from "../../services/settings/known-error.ts";
import { effectiveSettings } from "../../services/settings/effective.ts";
import type { ProcessTier } from "../worlds/process/chain.ts";
import type { WorldRun } from "../worlds/world.ts";

function upText(policy: string, tiers: readonly ProcessTier[]): string {
  return [
    `The chain is up, with the settings of policies/${policy}.env. Addresses:`,
    ...tiers.map(({ name, url }) => `  ${name.padEnd(8)} ${url}`),
    `Try: curl -i ${tiers[0]?.url}/orders/1`,
    "Its end: Ctrl-C here, or make down in another terminal.",
  ].join("\n");
}

/** What `up --json` prints. */
export const upJson = (policy: string, tiers: readonly ProcessTier[]): string =>
  JSON.stringify({ policy, tiers: tiers.map(({ name, url }) => ({ name, url })) });

function takeMark(root: string): number | undefined {
  try {
    return markUp(root);
  } catch (error) {
    if (error instanceof Failure) throw new KnownError(error.message);
    throw error;
  }
}

/** Resolves with the exit code, when the user has ended the chain; at once with 1 where another is up. */
export async function keepChainUp(root: string, run: WorldRun, json: boolean): Promise<number> {
  const policy = run.env["POLICY"] ?? "";
  const other = takeMark(root);
  if (other !== undefined) {
    run.say(`A chain is up already (process ${other}). Its end: make down.`);
    return 1;
  }
  try {
    return await keepUp(run, ({ tiers }) => console.log(json ? upJson(policy, tiers) : upText(policy, tiers)));
  } finally {
    markDown(root);
  }
}

export const verbUp: Verb = {
  name: "up",
  summary: "a chain that stays up, with the addresses to send requests to by hand",
  group: "look at it",
  make: true,
  runsIn: "shell",
  add: (command, { root, environment }) => {
    const say = (text: string): void => console.error(text);
    command.option("--json", "the tiers' addresses alone on stdout").action(async ({ json }: { json?: true }) => {
      const run = {
        env: effectiveSettings({ root, environment }),
        ambient: surroundings(environment),
        loadArguments: [],
        ...listenForInterrupts(say),
        say,
      };
      process.exitCode = await keepChainUp(root, run, json === true);
    });
  },
};
