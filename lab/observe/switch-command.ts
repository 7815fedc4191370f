/** `bin/lab switch`: another policy on a chain that runs, live. bin/lab uses it while `make dash` is up. */
import { effectiveSettings } from "../../services/settings/effective.ts";
import type { Verb } from "../runs/verb.ts";
import { createTier } from "../../loadgen/run/tiers.ts";
import { realClock } from "../../services/real-time/clock.ts";
import { exactPercent, rate } from "../../loadgen/core/format.ts";

/** Emptying the queue of a storm takes a second or two. */
const PATIENCE_MS = 20_000;

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
        const traffic = createTier({ name: "traffic", url }, realClock, () => PATIENCE_MS);
        await traffic.changePolicy(settings);
        const { POLICY: policy, CAPACITY, ERROR_RATE } = settings;
        const [capacity, errorRate] = [Number(CAPACITY), Number(ERROR_RATE)];
        const faults = `capacity ${rate(capacity)}, errors ${exactPercent(errorRate)}`;
        const now = `The chain runs under policies/${policy}.env now; ${faults}.`;
        console.log(json ? JSON.stringify({ policy, capacity, errorRate }) : now);
      });
  },
};
