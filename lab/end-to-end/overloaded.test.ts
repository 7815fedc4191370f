/** Who is told "not now" and listens, against who is told and tries again at once: a short dip of the capacity. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeVirtual } from "../worlds/virtual/facts.ts";
import { contextWith } from "../runs/testdata/context.ts";
import { runOf } from "../runs/testdata/run-of.ts";
import { measured } from "../../loadgen/testdata/measured.ts";

/** For three of ten seconds the backend carries a sixth of the load, and sheds the rest with Retry-After: 1. */
const DIP = {
  QUEUE_LIMIT: "15",
  ERROR_RATE: "0",
  FAULT_TIMELINE: "at 2s capacity 10; at 5s capacity 90",
};
const IGNORED = { ...DIP, RESPECT_RETRY_AFTER: "0" };
const HEEDED = { ...DIP, RESPECT_RETRY_AFTER: "1" };
const LATER = { ...HEEDED, OVERLOAD_RETRY: "1", EDGE_ATTEMPT_TIMEOUT_MS: "off" };

test("Retries at once into overload double the calls and answer nobody more; who stops costs next to nothing", () => {
  const [ignored, heeded] = [runOf(IGNORED), runOf(HEEDED)];
  assert.ok(Math.abs(measured(ignored.successRate) - measured(heeded.successRate)) < 0.03);
  assert.ok(measured(ignored.amplification) > 2 && measured(heeded.amplification) < 1.1);
  assert.ok(ignored.backend.shed > 5 * heeded.backend.shed);
});

test("Who comes back after the time that was asked for is answered after all, and pays with the wait", () => {
  const [heeded, later] = [runOf(HEEDED), runOf(LATER)];
  assert.ok(measured(heeded.successRate) < 0.8 && measured(later.successRate) > 0.99, `${later.successRate}`);
  assert.ok(measured(later.latencyMs.p99) > 1000 + measured(heeded.latencyMs.p99));
});

test("A shed that no retry has time for stays a shed on its way up, and opens no breaker there", () => {
  const { stopReasons, outcomes } = runOf({
    TIERS: "gateway,edge",
    CAPACITY: "30",
    QUEUE_LIMIT: "5",
    ERROR_RATE: "0",
    SHED_RETRY_AFTER_S: "2",
    EDGE_RESPECT_RETRY_AFTER: "1",
    EDGE_OVERLOAD_RETRY: "1",
    EDGE_DEADLINE_MS: "1100",
    GATEWAY_BREAKER: "rate",
    GATEWAY_MAX_ATTEMPTS: "1",
    GATEWAY_ATTEMPT_TIMEOUT_MS: "off",
  });
  assert.equal(stopReasons.breaker_open ?? 0, 0);
  assert.ok(outcomes.overloaded > 100 && outcomes.deadline === 0, JSON.stringify(outcomes));
});

/** The shortest time, in milliseconds, between a shed reply that the api got and its next attempt at that request. */
function shortestReturn(settings: Readonly<Record<string, string>>): number {
  const { settingsFor } = contextWith({ POLICY: "naive", WORLD: "virtual", DURATION_S: "10" });
  let shortest = Infinity;
  const { run } = makeVirtual(
    settingsFor(settings),
    () => {},
    (now) => {
      const shedAt = new Map<string, number>();
      const hop = (name: string) => ({
        attemptStarted: ({ traceparent }: { traceparent: string }) => {
          const at = name === "api" ? shedAt.get(traceparent) : undefined;
          if (at !== undefined) shortest = Math.min(shortest, now() - at);
        },
        attemptEnded: ({ traceparent }: { traceparent: string }, { status }: { status: number }) => {
          if (name === "api" && status === 503) shedAt.set(traceparent, now());
        },
      });
      return { hop, backendArrived: () => {}, backendAnswered: () => {}, backendLeft: () => {} };
    },
  );
  while (run.advance());
  return shortest;
}

test("Nobody comes back before the time that was asked for, where it is respected; where it is not, the backoff decides", () => {
  assert.equal(Math.round(shortestReturn(IGNORED)), 10);
  assert.ok(shortestReturn(LATER) >= 1000);
  assert.equal(shortestReturn(HEEDED), Infinity);
});
