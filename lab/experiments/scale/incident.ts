/**
 * A fleet under an incident: clients that ask again and again, instances of one hop that retry for them, and the backend
 * behind all of them, in virtual time. The hop, its gates and its budgets are the ones that run over HTTP.
 *
 * Memory does not grow with the run: a client is one timer, an instance a few counters.
 */
import { PLAIN_BACKEND, type BackendConfig } from "../../../services/backend/core/config.ts";
import { createBackend, type Backend } from "../../../services/backend/core/model.ts";
import { createHop, type Hop } from "../../../services/hop/core/hop.ts";
import type { HopRequest, Send } from "../../../services/contract/request.ts";
import { replyOfWire } from "../../../services/contract/wire.ts";
import type { BudgetPolicy } from "../../../services/policy/budget/budget.ts";
import { seededRng, uniform } from "../../../services/policy/rng.ts";
import { PLAIN_POLICY, type RetryPolicy } from "../../../services/policy/retry-policy.ts";
import { VirtualClock } from "../../../services/virtual-time/clock.ts";
import { budgetsOf } from "./budgets.ts";
import { FLEET, instanceOf, SCALE, type ScaleArm, type Fleet, type ScaleCase } from "./cases.ts";
import { FleetTally } from "./tally.ts";
import { clientKey, linkKey } from "../../../services/policy/rng-keys.ts";

/** After the last request was due: nothing that a client hears of comes later. */
const DRAIN_MS = 5000;
/** A link that breaks says so at once. */
const BROKEN_MS = 1;

const policyWith = (budget: BudgetPolicy): RetryPolicy => ({
  ...PLAIN_POLICY,
  maxAttempts: 3,
  attemptTimeoutMs: 200,
  backoff: { kind: "full", baseMs: 50, capMs: 1000 },
  budget,
});

/** null where there was nothing to take a share of. */
export interface ScaleRun {
  /** Share of the incident's requests that succeeded, 0 to 1: of all, and at the instance that fared worst. */
  readonly success: number | null;
  readonly worst: number | null;
  /** Retries for each request of the incident. */
  readonly retries: number | null;
  /** Of the retries that were refused for want of a token, those while another instance held one. */
  readonly idle: number | null;
  /** Share that succeeded from ten seconds after the incident on. */
  readonly late: number | null;
}

interface Scene {
  readonly scale: ScaleCase;
  readonly fleet: Fleet;
  readonly clock: VirtualClock;
  readonly backend: Backend;
  readonly seed: number;
}

const spanOf = ({ beginsS = SCALE.beginsS }: ScaleCase) => ({
  fromMs: beginsS * 1000,
  toMs: SCALE.endsS * 1000,
});

function backendOf({ errorRate, atOne = false, ...scale }: ScaleCase, { clients }: Fleet): BackendConfig {
  const { fromMs, toMs } = spanOf({ ...scale, errorRate });
  const steps = [
    { atMs: fromMs, change: { errorRate } },
    { atMs: toMs, change: { errorRate: 0 } },
  ];
  return {
    ...PLAIN_BACKEND,
    capacity: ((clients * 1000) / SCALE.periodMs) * SCALE.headroom,
    timeline: atOne ? [] : steps,
  };
}

function sendOf({ scale, clock, backend, seed }: Scene, instance: number): Send {
  const { fromMs, toMs } = spanOf(scale);
  const isBad = scale.atOne === true && instance === 0;
  return (request, done) => {
    const now = clock.now();
    if (isBad && now >= fromMs && now < toMs && uniform(seed, linkKey(request.id), request.attempt) < scale.errorRate)
      return clock.after(BROKEN_MS, () => done(replyOfWire({ status: 0, doNotRetry: false })));
    return backend.serve(request, ({ status, retryAfterS }) =>
      done(replyOfWire({ status, retryAfterS, doNotRetry: false })),
    );
  };
}

/** Has every client ask once in each period, from a moment of its own on. */
function startClients({ scale, fleet, clock, seed }: Scene, hops: readonly Hop[], tally: FleetTally): void {
  const endMs = SCALE.overS * 1000;
  const start = (client: number): void => {
    const instance = instanceOf(client, fleet, scale.hotShare);
    let n = 0;
    const ask = (): void => {
      const dueMs = clock.now();
      if (dueMs >= endMs) return;
      n += 1;
      const id = `c${client}-${n}`;
      const request: HopRequest = { id, method: "GET", path: `/orders/${id}`, traceparent: "", attempt: 1 };
      tally.asked(instance, dueMs);
      hops[instance]?.handle(request, ({ outcome }) => {
        if (outcome === "ok") tally.served(instance, dueMs);
      });
      clock.after(SCALE.periodMs, ask);
    };
    clock.after(uniform(seed, clientKey(client), 0) * SCALE.periodMs, ask);
  };
  for (let client = 0; client < fleet.clients; client += 1) start(client);
}

/** One incident of one fleet with one seed. */
export function runScale(scale: ScaleCase, arm: ScaleArm, seed: number, fleet: Fleet = FLEET): ScaleRun {
  const clock = new VirtualClock();
  const backend = createBackend(backendOf(scale, fleet), clock, seed);
  backend.begin(seed);
  const scene = { scale, fleet, clock, backend, seed };
  const budgets = budgetsOf(arm, scale.budget, fleet.instances, clock);
  const late = { fromMs: SCALE.lateS * 1000, toMs: SCALE.overS * 1000 };
  const tally = new FleetTally(fleet.instances, { during: spanOf(scale), late });
  const policy = policyWith(scale.budget);
  const rngFor = ({ id }: HopRequest) => seededRng(seed, id);
  const hops = budgets.map((budget, i) =>
    createHop({
      policy,
      clock,
      send: sendOf(scene, i),
      rngFor,
      budget,
      watch: tally.watch(i, budgets, () => clock.now()),
    }),
  );
  startClients(scene, hops, tally);
  clock.runUntil(SCALE.overS * 1000 + DRAIN_MS);
  return tally.result();
}
