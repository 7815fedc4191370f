/** Runs that make a hop stop, each for another reason. */
import { askJson } from "../../../services/http/testdata/http.ts";
import { budgetWith } from "../../../services/policy/testdata/policies.ts";
import { ever, held, oneToken, once, twice, write } from "./chain.ts";
import type { LabelCase } from "./labels.ts";
import { until } from "./prometheus.ts";

export const REFUSAL_CASES: readonly LabelCase[] = [
  {
    title: "A read that a full backend sheds",
    backend: { ...oneToken(0.01), queueLimit: 0 },
    moves: [
      ["requests", "outcome", "overloaded"],
      ["attempts", "outcome", "overloaded"],
      ["stops", "reason", "overloaded_upstream"],
      ["backendCalls", "result", "shed"],
    ],
    act: twice,
  },
  {
    title: "A read that a full hop sheds",
    backend: { latencyMs: ever },
    policy: {
      admission: { kind: "fixed", limit: 1, queue: 0, order: "fifo", codel: false, retryAfterMs: 0 },
    },
    moves: [["stops", "reason", "shed"]],
    act: async (chain) => {
      held(chain);
      await until("a read is refused", async () => ((await once(chain)).status === 503 ? true : undefined));
    },
  },
  {
    title: "A write without a key that fails",
    backend: { errorRate: 1 },
    moves: [["stops", "reason", "not_replayable"]],
    act: (chain) => write(chain, {}),
  },
  {
    title: "A failure at a hop that does not own the retries",
    backend: { errorRate: 1 },
    policy: { retryOwner: false },
    moves: [["stops", "reason", "not_retry_owner"]],
    act: once,
  },
  {
    title: "A failure without a budget for retries",
    backend: { errorRate: 1 },
    policy: { budget: budgetWith({ ratio: 0.1 }) },
    moves: [["stops", "reason", "budget_exhausted"]],
    act: once,
  },
  {
    title: "A failure that opens the breaker",
    backend: { errorRate: 1 },
    policy: { breaker: { rule: { kind: "consecutive", failures: 1 }, coolOffMs: 60_000, probes: 1 } },
    moves: [
      ["stops", "reason", "breaker_open"],
      ["breakerState", "state", "open"],
      ["breakerState", "state", "closed"],
    ],
    act: once,
  },
  {
    title: "A probe of an open breaker",
    backend: { errorRate: 1 },
    policy: { breaker: { rule: { kind: "consecutive", failures: 1 }, coolOffMs: 1, probes: 1 } },
    moves: [["breakerState", "state", "half-open"]],
    act: async (chain) => {
      await once(chain);
      await askJson("PUT", `${chain.backend}/faults`, { errorRate: 0, latencyMs: ever });
      held(chain);
    },
  },
];
