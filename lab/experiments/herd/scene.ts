/** What `bin/lab herd` compares, and the herds that the settings ask for. */
import type { FaultStep } from "../../../services/contract/fault-timeline.ts";
import { backendConfigOf } from "../../../services/backend/config.ts";
import { retryPolicyOf } from "../../../services/hop/config.ts";
import { BACKOFF_KINDS, type BackoffKind } from "../../../services/policy/backoff.ts";
import { ADMISSION_KNOBS } from "../../../services/settings/knobs/admission.ts";
import { BACKEND_KNOBS } from "../../../services/settings/knobs/backend.ts";
import { BREAKER_KNOBS } from "../../../services/settings/knobs/breaker.ts";
import { BUDGET_KNOBS } from "../../../services/settings/knobs/budget.ts";
import { HEDGE_KNOBS } from "../../../services/settings/knobs/hedge.ts";
import { hopName, meets, type Knob } from "../../../services/settings/knobs/knob.ts";
import { REPLICA_KNOBS } from "../../../services/settings/knobs/replicas.ts";
import { BACKOFF_KNOBS, RETRY_KNOBS } from "../../../services/settings/knobs/retry.ts";
import { ConfigError, readValues } from "../../../services/settings/values.ts";
import type { ExperimentContext } from "../../runs/context.ts";
import { planned } from "../../runs/planned.ts";
import type { RunEnv } from "../../runs/pool.ts";
import type { Arm } from "../../runs/run-arms.ts";
import type { Herd } from "./experiment.ts";

/** The one hop that every client has of its own; a policy speaks of the one that calls the backend as the api. */
const HOP = "api";

/** All requests of one second are cut off at once, and the backend could take all of them at once, too. */
const OUTAGE: RunEnv = {
  TIERS: HOP,
  SCENARIO: "herd",
  RATE: "1000",
  CAPACITY: "100000",
  ERROR_RATE: "1",
  FAULT_TIMELINE: "at 2s error 0",
};

/** Nobody gives up within what is measured. */
const PATIENT: RunEnv = {
  MAX_ATTEMPTS: "10",
  ATTEMPT_TIMEOUT_MS: "off",
  BACKOFF_BASE_MS: "500",
  BACKOFF_CAP_MS: "8000",
};

/** What this kind of backoff has no use for stays as it is: only the other rows have it. */
function unused(kind: BackoffKind): RunEnv {
  const idle = (BACKOFF_KNOBS as readonly Knob[]).filter(({ needs = [] }) =>
    needs.some((need) => need.knob === "BACKOFF" && !meets(need, kind)),
  );
  return Object.fromEntries(idle.map((knob) => [knob.name, knob.default]));
}

export const HERD_ARMS: readonly Arm[] = BACKOFF_KINDS.filter((kind) => kind !== "none").map((kind) => ({
  name: kind,
  scene: { ...OUTAGE, ...PATIENT },
  settings: { BACKOFF: kind },
  derived: { POLICY: "naive", ...unused(kind) },
}));

/** A policy of the user's own, as it stands. */
const ownArm = (policy: string): Arm => ({ name: policy, scene: OUTAGE, settings: {}, derived: { POLICY: policy } });

const PER_HOP = [...RETRY_KNOBS, ...BUDGET_KNOBS, ...BREAKER_KNOBS, ...ADMISSION_KNOBS, ...HEDGE_KNOBS];
const ALL = [...PER_HOP, ...BACKEND_KNOBS, ...REPLICA_KNOBS].map(({ name }) => name);
const OF_RUN = ["POLICY", "SCENARIO", "WORLD", "SEED", "RATE", "ONE_WAY_MS", "FAULT_TIMELINE", "REPORTS_DIR"];

/** The settings that a herd takes. */
export const HERD_TAKES: readonly string[] = [...OF_RUN, ...ALL, ...PER_HOP.map(({ name }) => hopName(HOP, name))];

/** When the errors end, in milliseconds. @throws ConfigError where they do not */
function outageOf(errorRate: number, timeline: readonly FaultStep[]): number {
  const end = timeline.find(({ change }) => change.errorRate !== undefined && change.errorRate < errorRate);
  if (end !== undefined) return end.atMs;
  throw new ConfigError([
    "FAULT_TIMELINE: a herd comes back when the errors end. Name the moment, as in: at 2s error 0",
  ]);
}

function herdOf({ name, env }: { readonly name: string; readonly env: RunEnv }): Herd {
  const values = readValues(env);
  const backend = backendConfigOf(values);
  return {
    name,
    seed: values.number("SEED"),
    clients: Math.max(1, Math.round(values.number("RATE"))),
    outageMs: outageOf(backend.errorRate, backend.timeline),
    policy: retryPolicyOf(values, HOP),
    backend,
    oneWayMs: values.number("ONE_WAY_MS"),
  };
}

/** Every arm with every seed; with POLICY, that policy first. @param seeds one or more @throws ConfigError */
export function herdsOf(context: ExperimentContext, seeds: readonly number[]): Herd[] {
  const own = context.typed.includes("POLICY") ? [ownArm(context.valueOf("POLICY"))] : [];
  const wanted = [...own, ...HERD_ARMS].flatMap((arm) =>
    seeds.map((seed) => ({
      ...arm,
      derived: { ...arm.derived, SEED: String(seed), WORLD: "virtual" },
    })),
  );
  return planned(context, wanted).map(herdOf);
}
