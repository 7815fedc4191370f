/** Runs of a hop that shares its budget, whose store is well, or falls silent. */
import { METRICS } from "../../../services/telemetry/metric-names.ts";
import { metric } from "../../../services/http/testdata/http.ts";
import type { RetryPolicy } from "../../../services/policy/retry-policy.ts";
import { budgetWith } from "../../../services/policy/testdata/policies.ts";
import type { PotMood } from "../../../services/policy/testdata/pot.ts";
import { order, type Chain } from "./chain.ts";
import type { LabelCase } from "./labels.ts";
import { until } from "./prometheus.ts";

export const sharing = (start: number): Partial<RetryPolicy> => ({
  budget: budgetWith({ ratio: 0, start, burst: 1000, fleet: { lease: 2, floorPerSecond: 1000 } }),
});

/** Sends requests that fail until one of the series of `key` has risen. */
export async function untilRisen(
  chain: Chain,
  key: "fleetAnswers" | "fleetRetries",
  labels: Record<string, string>,
): Promise<void> {
  const { name } = METRICS[key];
  const before = await metric(chain.hop, name, labels);
  await until(`${name} rises`, async () => {
    await order(chain, "o1");
    return (await metric(chain.hop, name, labels)) === before ? undefined : true;
  });
}

/** A store that falls silent when it is told to. */
export function silenced() {
  const store: { mood: PotMood } = { mood: "well" };
  const fallSilent = (): void => void (store.mood = "deaf");
  return { store, fallSilent };
}

const FAILING = { errorRate: 1 };
const mute = silenced();

export const FLEET_CASES: readonly LabelCase[] = [
  {
    title: "Retries paid for by leases",
    backend: FAILING,
    policy: sharing(1000),
    store: { mood: "well" },
    moves: [
      ["fleetAnswers", "answer", "granted"],
      ["fleetRetries", "source", "lease"],
    ],
    act: (chain) => untilRisen(chain, "fleetAnswers", { answer: "granted" }),
  },
  {
    title: "A shared budget that is spent",
    backend: FAILING,
    policy: sharing(0),
    store: { mood: "well" },
    moves: [["fleetAnswers", "answer", "empty"]],
    act: (chain) => untilRisen(chain, "fleetAnswers", { answer: "empty" }),
  },
  {
    title: "A store that falls silent",
    backend: FAILING,
    policy: sharing(1000),
    store: mute.store,
    moves: [
      ["fleetAnswers", "answer", "none"],
      ["fleetRetries", "source", "floor"],
    ],
    act(chain) {
      mute.fallSilent();
      return untilRisen(chain, "fleetRetries", { source: "floor" });
    },
  },
];
