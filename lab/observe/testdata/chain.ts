/** A real hop before a real backend, in the test's own process. */
import type { RequestListener } from "node:http";
import type { TestContext } from "node:test";
import { createBackendApp } from "../../../services/backend/app.ts";
import type { BackendConfig } from "../../../services/backend/core/model.ts";
import { backendWith } from "../../../services/backend/testdata/configs.ts";
import { createHopApp } from "../../../services/hop/app.ts";
import type { BudgetStore } from "../../../services/hop/fleet-budgets.ts";
import { realClock } from "../../../services/real-time/clock.ts";
import { ask, serve, silent } from "../../../services/http/testdata/http.ts";
import type { RetryPolicy } from "../../../services/policy/retry-policy.ts";
import { backoffWith, policyWith } from "../../../services/policy/testdata/policies.ts";
import { Pot, type PotMood } from "../../../services/policy/testdata/pot.ts";

export interface Setting {
  readonly policy?: Partial<RetryPolicy>;
  readonly backend?: Partial<BackendConfig>;
  /** What the hop calls instead of the backend, where the backend never answers so. */
  readonly upstream?: RequestListener;
  readonly connections?: number;
  /** A store of the hop's budget, which may change its mood while the hop runs. */
  readonly store?: { mood: PotMood };
}

export interface Chain {
  readonly hop: string;
  readonly backend: string;
}

const shared = { seed: 1, clock: realClock, log: silent, isStopping: () => false };

function storeIn(store: { readonly mood: PotMood }): BudgetStore {
  return {
    asker(_key, terms) {
      const pot = new Pot(terms, realClock.now);
      return (request, done) => {
        pot.mood = store.mood;
        pot.ask(request, done);
      };
    },
    close: () => {},
    fault: () => undefined,
  };
}

export async function chainOf(t: TestContext, setting: Setting): Promise<Chain> {
  const { policy, backend, upstream, connections = 64, store } = setting;
  const last = createBackendApp({ name: "backend", config: backendWith(backend), ...shared });
  t.after(last.close);
  const backendUrl = await serve(t, last.app);
  const { app, close } = createHopApp({
    name: "edge",
    policy: policyWith({ backoff: backoffWith({ kind: "none" }), attemptTimeoutMs: Infinity, ...policy }),
    upstreamUrl: upstream === undefined ? backendUrl : await serve(t, upstream),
    upstreamConnections: connections,
    store: store === undefined ? undefined : storeIn(store),
    ...shared,
  });
  t.after(close);
  return { hop: await serve(t, app), backend: backendUrl };
}

export const order = (chain: Chain, id: string, init?: RequestInit) => ask(`${chain.hop}/orders/${id}`, init);

/** Longer than any test, in milliseconds. */
export const ever = 600_000;
export const once = (chain: Chain) => order(chain, "o1");
export const twice = async (chain: Chain) => [await order(chain, "o1"), await order(chain, "o2")];
/** A request that is still under way when the others come; it ends with the test. */
export const held = (chain: Chain): void => void order(chain, "held").catch(() => {});
export const within = (ms: number) => ({ headers: { "x-envoy-expected-rq-timeout-ms": String(ms) } });
export const write = (chain: Chain, headers: Record<string, string>) => order(chain, "o1", { method: "POST", headers });
/** A throttle where one call begins at once, and the next waits for `capacity` to give it a token. */
export const oneToken = (capacity: number) => ({ capacity, capacityBurst: 1 });
