/** `lab switch`: another policy on a chain that runs, live. bin/lab uses it while `make dash` is up. */
import { effectiveSettings } from "../../services/settings/effective.ts";
import type { Verb } from "../runs/verb.ts";
import { createTier } from "../../loadgen/run/tiers.ts";
import { realClock } from "../../services/real-time/clock.ts";
import { exactPercent, rate } from "../../loadgen/core/format.ts";

/** Emptying the queue of a storm takes a second or two. */
const PATIENCE_MS = 20_000;

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
  `The chain runs under policies/${policy}.env now; capacity ${rate(capacity)}, errors ${exactPercent(errorRate)}.`;

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
        const traffic = createTier({ name: "traffic", url }, realClock, PATIENCE_MS);
        await traffic.changePolicy(settings);
        console.log(json ? JSON.stringify(nowOf(settings)) : nowText(nowOf(settings)));
      });
  },
};
