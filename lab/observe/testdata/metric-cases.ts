/** Runs that move one metric or some. */
import type { METRICS } from "../../../services/telemetry/metric-names.ts";
import { askJson } from "../../../services/http/testdata/http.ts";
import { budgetWith } from "../../../services/policy/testdata/policies.ts";
import { once, order, within, write, type Chain, type Setting } from "./chain.ts";
import { sharing, silenced, untilRisen } from "./fleet-cases.ts";

export type MetricKey = keyof typeof METRICS;

interface MetricCase extends Setting {
  readonly title: string;
  readonly moves: readonly MetricKey[];
  readonly act: (chain: Chain) => Promise<unknown>;
}

const falling = silenced();

export const METRIC_CASES: readonly MetricCase[] = [
  {
    title: "A read that succeeds",
    backend: { capacity: 0.01, capacityBurst: 5 },
    moves: [
      "arrivals",
      "requests",
      "requestDuration",
      "attempts",
      "attemptDuration",
      "stops",
      "backendCalls",
      "backendTokens",
    ],
    act: once,
  },
  {
    title: "A read that fails and is tried again, as far as the budget allows",
    backend: { errorRate: 1 },
    policy: { budget: budgetWith({ ratio: 0.1, start: 1 }) },
    moves: ["retries", "budgetBalance", "budgetDenials"],
    act: once,
  },
  {
    title: "A request with a deadline",
    moves: ["deadlineRemaining"],
    act: (chain) => order(chain, "o1", within(5000)),
  },
  {
    title: "A failure that opens the breaker",
    backend: { errorRate: 1 },
    policy: { breaker: { rule: { kind: "consecutive", failures: 1 }, coolOffMs: 60_000, probes: 1 } },
    moves: ["breakerState"],
    act: once,
  },
  {
    title: "A read with a second copy",
    backend: { replicas: 2 },
    policy: { replicas: 2, hedge: { trigger: { kind: "tied" }, ratio: 1 } },
    moves: ["hedges"],
    act: once,
  },
  {
    title: "Two writes with one key, where answers get lost",
    backend: { responseLoss: 1 },
    policy: { maxAttempts: 1 },
    moves: ["backendEffects", "backendDuplicates", "backendLost"],
    act: async (chain) => {
      for (let n = 0; n < 2; n += 1) {
        await write(chain, { "idempotency-key": "k1" });
      }
    },
  },
  {
    title: "Other faults",
    moves: ["backendCapacity", "backendErrorRate", "backendLatency"],
    act: ({ backend }) => askJson("PUT", `${backend}/faults`, { capacity: 5, errorRate: 0.5, latencyMs: 7 }),
  },
  {
    title: "A caller who leaves before the backend is done",
    backend: { latencyMs: 200 },
    policy: { maxAttempts: 1, attemptTimeoutMs: 50 },
    moves: ["backendWasted"],
    act: once,
  },
  {
    title: "Retries on leases, and on the floor when the store falls silent",
    backend: { errorRate: 1 },
    policy: sharing(1000),
    store: falling.store,
    moves: ["fleetAnswers", "fleetLeased", "fleetRetries", "fleetAway"],
    async act(chain) {
      await untilRisen(chain, "fleetAnswers", { answer: "granted" });
      falling.fallSilent();
      await untilRisen(chain, "fleetRetries", { source: "floor" });
    },
  },
];
