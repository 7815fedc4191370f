/** The whole chain, edge → api → backend, over real HTTP in one process. */
import type { IncomingHttpHeaders } from "node:http";
import type { TestContext } from "node:test";
import { createBackendApp } from "../../../services/backend/app.ts";
import type { BackendConfig } from "../../../services/backend/core/model.ts";
import { backendWith } from "../../../services/backend/testdata/configs.ts";
import { createHopApp } from "../../../services/hop/app.ts";
import { realClock } from "../../../services/real-time/clock.ts";
import { heard, noting, serve, type Line } from "../../../services/http/testdata/http.ts";
import type { Tracing } from "../../../services/telemetry/tracing-sdk.ts";
import type { RetryPolicy } from "../../../services/policy/retry-policy.ts";
import { backoffWith, policyWith } from "../../../services/policy/testdata/policies.ts";

/** Addresses of the tiers. */
export interface Chain {
  readonly edge: string;
  readonly api: string;
  readonly backend: string;
  /** Headers of the orders that arrived at each tier. */
  readonly seen: Readonly<Record<"edge" | "api" | "backend", IncomingHttpHeaders[]>>;
}

export interface Setting {
  readonly policy?: Partial<RetryPolicy>;
  readonly backend?: Partial<BackendConfig>;
  readonly onLine?: (line: Line) => void;
  /** Changes of the api's policy alone. */
  readonly api?: Partial<RetryPolicy>;
  /** The spans of a tier; none where absent. */
  readonly tracing?: (tier: string) => Tracing;
}

/** A chain whose tiers serve until the test ends. */
export async function chainOf(t: TestContext, { policy, api, backend, onLine, tracing }: Setting): Promise<Chain> {
  const seen: Chain["seen"] = { edge: [], api: [], backend: [] };
  const logOf = (name: string) => heard(name, "debug", onLine ?? (() => {}));
  const shared = { seed: 1, clock: realClock, isStopping: () => false };
  const last = createBackendApp({
    name: "backend",
    config: backendWith(backend),
    log: logOf("backend"),
    tracing: tracing?.("backend"),
    ...shared,
  });
  t.after(last.close);
  const backendUrl = await serve(t, noting(last.app, seen.backend));
  const hopBefore = async (name: "edge" | "api", upstreamUrl: string): Promise<string> => {
    const { app, close } = createHopApp({
      name,
      policy: policyWith({
        backoff: backoffWith({ kind: "none" }),
        attemptTimeoutMs: Infinity,
        ...policy,
        ...(name === "api" ? api : {}),
      }),
      upstreamUrl,
      upstreamConnections: 64,
      log: logOf(name),
      tracing: tracing?.(name),
      ...shared,
    });
    t.after(close);
    return serve(t, noting(app, seen[name]));
  };
  const apiUrl = await hopBefore("api", backendUrl);
  return { edge: await hopBefore("edge", apiUrl), api: apiUrl, backend: backendUrl, seen };
}
