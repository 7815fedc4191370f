/** Runs that give a label one of its values each. */
import { ask } from "../../../services/http/testdata/http.ts";
import { ever, once, oneToken, order, twice, within, write } from "./chain.ts";
import { FLEET_CASES } from "./fleet-cases.ts";
import type { LabelCase } from "./labels.ts";
import { until } from "./prometheus.ts";
import { REFUSAL_CASES } from "./refusal-cases.ts";

const OUTCOME_CASES: readonly LabelCase[] = [
  {
    title: "A read that succeeds",
    moves: [
      ["requests", "outcome", "ok"],
      ["attempts", "outcome", "ok"],
      ["attempts", "attempt", "1"],
      ["stops", "reason", "success"],
      ["backendCalls", "result", "ok"],
    ],
    act: once,
  },
  {
    title: "A read whose five attempts all fail",
    backend: { errorRate: 1 },
    policy: { maxAttempts: 5 },
    moves: [
      ["requests", "outcome", "failed"],
      ["attempts", "outcome", "failed"],
      ["attempts", "attempt", "2"],
      ["attempts", "attempt", "3"],
      ["attempts", "attempt", "4+"],
      ["stops", "reason", "attempts_exhausted"],
      ["backendCalls", "result", "failed"],
    ],
    act: once,
  },
  {
    title: "A read that nobody below knows",
    upstream: (_req, res) => res.writeHead(404).end(),
    moves: [
      ["requests", "outcome", "rejected"],
      ["attempts", "outcome", "rejected"],
      ["stops", "reason", "not_retryable"],
    ],
    act: once,
  },
  {
    title: "A read that takes too long",
    backend: { latencyMs: ever },
    policy: { attemptTimeoutMs: 20 },
    moves: [
      ["requests", "outcome", "timeout"],
      ["attempts", "outcome", "timeout"],
    ],
    act: once,
  },
  {
    title: "A read whose deadline passes",
    backend: { latencyMs: ever },
    moves: [
      ["requests", "outcome", "deadline"],
      ["attempts", "outcome", "deadline"],
      ["stops", "reason", "deadline_too_near"],
    ],
    act: (chain) => order(chain, "o1", within(50)),
  },
  {
    title: "A caller who leaves",
    backend: { latencyMs: ever },
    moves: [
      ["requests", "outcome", "cancelled"],
      ["attempts", "outcome", "cancelled"],
    ],
    act: async (chain) => {
      const leave = new AbortController();
      const asked = order(chain, "o1", { signal: leave.signal }).catch(() => {});
      await until("the call is at the backend", async () =>
        (await ask(`${chain.backend}/stats`)).text.includes('"inFlight":1') ? true : undefined,
      );
      leave.abort();
      await asked;
    },
  },
];

const TWO = { replicas: 2 };
const tied = (ratio: number) => ({ replicas: 2, hedge: { trigger: { kind: "tied" as const }, ratio } });

const BACKEND_CASES: readonly LabelCase[] = [
  {
    title: "A slow replica, and second copies at the other",
    backend: { ...TWO, slowReplica: 1, stragglerMs: ever },
    policy: { replicas: 2, hedge: { trigger: { kind: "delay", delayMs: 1 }, ratio: 1 } },
    moves: [
      ["hedges", "event", "sent"],
      ["hedges", "event", "won"],
    ],
    act: twice,
  },
  {
    title: "A second copy that nothing pays for",
    backend: TWO,
    policy: tied(0),
    moves: [["hedges", "event", "denied"]],
    act: once,
  },
  {
    title: "A second copy just after a replica has shed",
    backend: { ...TWO, capacity: 0.01, capacityBurst: 2, queueLimit: 0 },
    policy: tied(1),
    moves: [["hedges", "event", "suppressed"]],
    act: async (chain) => [await twice(chain), await twice(chain)],
  },
  {
    title: "A call whose deadline passes in a queue that drops it",
    backend: { ...oneToken(10), dropExpired: true },
    moves: [["backendCalls", "result", "expired"]],
    act: async (chain) => [await once(chain), await order(chain, "o2", within(20))],
  },
  {
    title: "A caller who leaves a queue that lets it go",
    backend: { ...oneToken(0.01), leaveOnDisconnect: true },
    policy: { attemptTimeoutMs: 20 },
    moves: [["backendCalls", "result", "left"]],
    act: twice,
  },
  {
    title: "A write that is repeated with its key",
    backend: { dedup: "wait" },
    moves: [["backendCalls", "result", "repeated"]],
    act: async (chain) => {
      for (let n = 0; n < 2; n += 1) await write(chain, { "idempotency-key": "k1" });
    },
  },
];

export const LABEL_CASES: readonly LabelCase[] = [...OUTCOME_CASES, ...REFUSAL_CASES, ...BACKEND_CASES, ...FLEET_CASES];
