/** What the policy costs for one call, with nothing behind it. */
import { ConstantBackoff, handleAll, retry } from "cockatiel";
import { createHop } from "../../services/hop/core/hop.ts";
import type { HopRequest, Send } from "../../services/contract/request.ts";
import { createBudget } from "../../services/policy/budget/budget.ts";
import { decide, type Situation } from "../../services/policy/retry-decision.ts";
import { seededRng } from "../../services/policy/rng.ts";
import type { Reply } from "../../services/policy/outcome.ts";
import type { RetryPolicy } from "../../services/policy/retry-policy.ts";
import { ranged, measured, secondsOf } from "../measure.ts";
import type { Bench, Row } from "../row.ts";
import type { Middle } from "../../loadgen/core/format.ts";

const title = "The policy alone, without I/O";
const goal = "at most 1 µs; at least 5x cheaper a call than cockatiel's retry";

const CALLS = 200_000;
const REPEATS = 7;
const OK: Reply = { outcome: "ok", status: 200 };
const FAILED: Reply = { outcome: "failed", status: 500 };
const REQUEST: HopRequest = { id: "o1", method: "GET", path: "/orders/o1", traceparent: "", attempt: 1 };

const POLICY: RetryPolicy = {
  maxAttempts: 3,
  attemptTimeoutMs: Infinity,
  backoff: { kind: "full", baseMs: 50, capMs: 1000 },
  budget: { kind: "token-bucket", ratio: 1, burst: 1e9, start: 1e9, minPerSecond: 0 },
  deadlineMs: 1100,
  minAttemptMs: 0,
  retryOwner: true,
  respectRetryOk: true,
  respectRetryAfter: true,
  overloadRetry: false,
};

const nothing = (): void => {};

/** Nanoseconds for what the policy decides about one attempt that ended with `reply`, the deposit included. */
function decisionNs(reply: Reply): number {
  const budget = createBudget(POLICY.budget, 0);
  const rng = seededRng(1, "bench");
  const retry = reply !== OK;
  let asExpected = 0;
  const seconds = secondsOf(() => {
    for (let i = 0; i < CALLS; i += 1) {
      const situation: Situation = {
        reply,
        attempts: 1,
        replayable: true,
        breakerClosed: true,
        now: i,
        deadline: i + 1100,
        previousDelayMs: 0,
      };
      budget.deposit("request", i);
      if (decide(POLICY, situation, budget, rng).retry === retry) asExpected += 1;
    }
  });
  if (asExpected !== CALLS) throw new Error(`${asExpected} of ${CALLS} decisions were as expected`);
  return (seconds * 1e9) / CALLS;
}

/** A clock whose timers are run by the loop below, and an upstream that answers there too. */
function callNs(): number {
  const due: (() => void)[] = [];
  const clock = { now: () => 0, after: (_delayMs: number, run: () => void) => (due.push(run), nothing) };
  const send: Send = (_request, done) => {
    due.push(() => done(OK));
    return nothing;
  };
  const policy = { ...POLICY, deadlineMs: Infinity };
  const hop = createHop({ policy, clock, send, rngFor: () => seededRng(1, "bench") });
  let succeeded = 0;
  const seconds = secondsOf(() => {
    for (let i = 0; i < CALLS; i += 1) {
      hop.handle(REQUEST, (reply) => (succeeded += reply.outcome === "ok" ? 1 : 0));
      for (let run = due.pop(); run !== undefined; run = due.pop()) run();
    }
  });
  if (succeeded !== CALLS) throw new Error(`${succeeded} of ${CALLS} calls succeeded`);
  return (seconds * 1e9) / CALLS;
}

async function cockatielNs(): Promise<number> {
  const policy = retry(handleAll, { maxAttempts: 2, backoff: new ConstantBackoff(0) });
  const succeed = (): Reply => OK;
  const began = performance.now();
  for (let i = 0; i < CALLS; i += 1) await policy.execute(succeed);
  return ((performance.now() - began) * 1e6) / CALLS;
}

const inNs = (value: Middle): string => ranged(value, 0, " ns");

/** Seven interleaved rounds of every measurement, after one round that only warms up. */
async function measureAll() {
  const good: number[] = [];
  const bad: number[] = [];
  const calls: number[] = [];
  const peers: number[] = [];
  for (let round = 0; round <= REPEATS; round += 1) {
    good.push(decisionNs(OK));
    bad.push(decisionNs(FAILED));
    calls.push(callNs());
    peers.push(await cockatielNs());
  }
  return { good: good.slice(1), bad: bad.slice(1), calls: calls.slice(1), peers: peers.slice(1) };
}

async function run(): Promise<Row[]> {
  const { good, bad, calls, peers } = await measureAll();
  const peer = `${inNs(measured(peers))} cockatiel`;
  const against = (ours: readonly number[]): Middle =>
    measured(peers.map((value, i) => value / (ours[i] ?? Number.NaN)));
  const isQuick = (ours: readonly number[]): boolean => measured(ours).median <= 1000;
  return [
    {
      what: "policy of a call that succeeds: deposit, gates",
      ours: inNs(measured(good)),
      peer,
      ratio: `${ranged(against(good), 1, "x")} cheaper`,
      met: isQuick(good) && against(good).median >= 5,
    },
    {
      what: "decision to retry: deposit, all gates, jitter, budget",
      ours: inNs(measured(bad)),
      met: isQuick(bad),
    },
    {
      what: "a whole call through a hop, answered at once",
      ours: inNs(measured(calls)),
      peer,
      ratio: `${ranged(against(calls), 1, "x")} cheaper`,
      met: null,
      note:
        "cockatiel's call only tries again. A hop's call also carries the deadline and the attempt number on, can be\n" +
        "cancelled, and tells who watches it. cockatiel waits on a real timer even for 0 ms, so retried calls are not compared.",
    },
  ];
}

export default { title, goal, run } satisfies Bench;
