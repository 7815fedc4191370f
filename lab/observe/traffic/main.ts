/**
 * The load of `make dash`: `node dist/lab/observe/traffic/main.js`. Its settings come from the environment.
 *
 *     exit 0  it was told to stop
 *     exit 1  it cannot listen, or cannot go on
 *     exit 2  the settings are wrong: every fault is printed and nothing was sent
 */
import { explainError } from "../../../services/settings/known-error.ts";
import { tierAddresses } from "../../../services/settings/addresses.ts";
import { ConfigError, readValues } from "../../../services/settings/values.ts";
import { startTraffic } from "./traffic.ts";
import { onInterrupt } from "../../../loadgen/run/interrupts.ts";
import { missingChain } from "../../../loadgen/run/program.ts";

const say = (text: string): void => console.error(`traffic: ${text}`);

async function run(): Promise<void> {
  const values = readValues(process.env);
  const tiers = tierAddresses(values.text("CHAIN"));
  const problems = missingChain(values.text("CHAIN"));
  if (problems.length > 0) throw new ConfigError(problems);
  const traffic = await startTraffic({ tiers, values, say });
  let stopping: Promise<void> | undefined;
  onInterrupt(() => void (stopping ??= traffic.stop()));
  say(`listens on port ${traffic.port}`);
  try {
    await traffic.over;
  } finally {
    await (stopping ??= traffic.stop());
  }
}

try {
  await run();
} catch (error) {
  process.exitCode = explainError(error, "traffic", "nothing was sent");
}
