/**
 * The plainest queue that retries can storm: M/M/c with a timeout and retries, through the lab's own hop.
 *
 * Clients arrive as a Poisson process; `servers` servers take calls from one FIFO queue, each for an exponentially
 * distributed time; a call that lasts longer than the timeout is given up (its place in the queue is not) and tried
 * again. bench/peers/mmc.py is the same model on Python's heapq.
 */
import { VirtualClock } from "../services/virtual-time/clock.ts";
import { Fifo } from "../services/policy/queue/fifo.ts";
import { createHop } from "../services/hop/core/hop.ts";
import type { HopRequest, Send } from "../services/contract/request.ts";
import type { Clock, Rng } from "../services/policy/clock.ts";
import { exponential, seededRng } from "../services/policy/rng.ts";
import type { Reply } from "../services/policy/outcome.ts";
import { PLAIN_POLICY, type RetryPolicy } from "../services/policy/retry-policy.ts";

export interface MmcModel {
  /** Clients per second. */
  readonly rate: number;
  readonly servers: number;
  /** Mean milliseconds of service. */
  readonly serviceMs: number;
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly backoffMs: number;
  /** Seconds of virtual time in which clients arrive. */
  readonly seconds: number;
  readonly seed: number;
}

export interface MmcResult {
  readonly clients: number;
  readonly calls: number;
  readonly succeeded: number;
}

const OK: Reply = { outcome: "ok", status: 200 };

type Done = (reply: Reply) => void;

/** A call in the queue; `done` is replaced once the caller has left, as in the lab's backend. */
interface Call {
  done: Done;
}

const nobody: Done = () => {};

interface Station {
  readonly send: Send;
  calls: number;
}

function stationOf(clock: Clock, { servers, serviceMs }: MmcModel, rng: Rng): Station {
  const queue = new Fifo<Call>();
  let busy = 0;
  const serve = (call: Call): void => {
    busy += 1;
    clock.after(exponential(rng) * serviceMs, () => {
      busy -= 1;
      const next = queue.shift();
      if (next !== undefined) serve(next);
      call.done(OK);
    });
  };
  const station: Station = {
    calls: 0,
    send: (_request, done) => {
      const call: Call = { done };
      station.calls += 1;
      if (busy < servers) serve(call);
      else queue.push(call);
      return () => {
        call.done = nobody;
      };
    },
  };
  return station;
}

function policyOf({ attempts, timeoutMs, backoffMs }: MmcModel): RetryPolicy {
  return {
    ...PLAIN_POLICY,
    maxAttempts: attempts,
    attemptTimeoutMs: timeoutMs,
    backoff: { kind: "fixed", baseMs: backoffMs, capMs: backoffMs },
    budget: { kind: "token-bucket", ratio: 1, burst: 1e9, start: 1e9, minPerSecond: 0 },
  };
}

export function simulateMmc(model: MmcModel): MmcResult {
  const clock = new VirtualClock();
  const station = stationOf(clock, model, seededRng(model.seed, "service"));
  const rngFor = ({ id }: HopRequest): Rng => seededRng(model.seed, id);
  const hop = createHop({ policy: policyOf(model), clock, send: station.send, rngFor });
  const gaps = seededRng(model.seed, "arrivals");
  const until = model.seconds * 1000;
  let clients = 0;
  let succeeded = 0;
  const arrive = (): void => {
    if (clock.now() >= until) return;
    clients += 1;
    hop.handle({ id: "client", method: "GET", path: "/", traceparent: "", attempt: 1 }, ({ outcome }) => {
      if (outcome === "ok") succeeded += 1;
    });
    clock.after((exponential(gaps) * 1000) / model.rate, arrive);
  };
  arrive();
  clock.runUntilIdle();
  return { clients, calls: station.calls, succeeded };
}
