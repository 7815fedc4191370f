/** A lab with a live page, as a person starts it. */
import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../cli/main.ts", import.meta.url));

/**
 * A third of the usual load with twice the patience: a machine that runs a browser and four services on two cores must
 * not start a storm by itself. In the twin the trigger's storm lasts for ever with these, as with the usual ones.
 */
export const SLOW_MACHINE = ["RATE=20", "CAPACITY=100", "ATTEMPT_TIMEOUT_MS=400", "EDGE_ATTEMPT_TIMEOUT_MS=1300"];

export interface LiveLab {
  readonly url: string;
  readonly process: ChildProcess;
}

/** @param settings NAME=value, given through the environment. Whoever starts it ends it. */
export async function startLiveLab(settings: readonly string[]): Promise<LiveLab> {
  const node = [process.execPath, "--import", import.meta.resolve("tsx"), main, "live", "--json"];
  // `env` becomes the program that it starts, so a signal reaches the lab itself.
  const lab = spawn("env", [...settings, ...node], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: lab.stdout })) {
    return { url: (JSON.parse(line) as { url: string }).url, process: lab };
  }
  throw new Error("the lab ended before it said where its page is");
}
