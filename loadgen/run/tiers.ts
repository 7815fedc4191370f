/** The administration of a tier, as docs/contracts.md describes it, called over HTTP. */
import type { Faults } from "../../services/contract/faults.ts";
import type { RunDescription, ServiceStats } from "../../services/contract/stats.ts";
import type { Clock } from "../../services/policy/clock.ts";
import { KnownError } from "../../services/settings/known-error.ts";

/** A service under a storm may be slow to answer, but not this slow. In milliseconds. */
const ANSWER_WITHIN_MS = 3000;
/** The user wants the run to end, and whoever waits for that kills it after some seconds (lab/worlds/process/program.ts). */
const LAST_ANSWER_WITHIN_MS = 1000;

/** How long a tier may take to answer, in milliseconds: less once the run is stopped. */
export const patienceOf = (stop: AbortSignal) => (): number =>
  stop.aborted ? LAST_ANSWER_WITHIN_MS : ANSWER_WITHIN_MS;

/** A tier did not do what it was asked; the message is for a person. */
export class TierError extends KnownError {
  /** True where the tier only refused because something is still in flight there. */
  readonly isBusy: boolean;

  constructor(message: string, isBusy = false) {
    super(message);
    this.isBusy = isBusy;
  }
}

export interface Tier {
  readonly name: string;
  readonly url: string;
  /** undefined when it is ready, else why not. */
  readiness(): Promise<string | undefined>;
  stats(): Promise<ServiceStats>;
  /** @param run its name, the same for all instances of a tier */
  beginRun(seed: number, run?: string): Promise<RunDescription>;
  /** The backend's alone. */
  changeFaults(faults: Partial<Faults>): Promise<void>;
  /** It takes its part of the settings, an environment of names and texts. */
  changePolicy(settings: Readonly<Record<string, string>>): Promise<void>;
}

/** The reason in the words of the innermost cause: fetch itself only says that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0]);
  return cause instanceof Error ? reasonOf(cause) : error.message;
}

interface Question {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  /** In milliseconds. */
  readonly withinMs: number;
}

async function ask(clock: Clock, { url, method, body, withinMs }: Question): Promise<Response> {
  const controller = new AbortController();
  const busy = "this machine may be too busy: end what else runs on it, or lower RATE";
  const why = new Error(`no answer within ${withinMs / 1000} s; ${busy}`);
  const cancel = clock.after(withinMs, () => controller.abort(why));
  try {
    const init = { method, signal: controller.signal };
    const json = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(url, body === undefined ? init : { ...init, ...json });
    // Read here, so that a body that never ends is cut off as well.
    const text = await response.text();
    return new Response(text, { status: response.status });
  } finally {
    cancel();
  }
}

const STRANGER = "that is not a service of this lab";

/** The answer's JSON; null where it is something else, as the answer of another program may be. */
async function jsonOf(response: Response): Promise<unknown> {
  return response.json().catch(() => null);
}

/** A backend that is called edge, or a port of another program, would otherwise show as nonsense much later. */
function checkStats(name: string, value: unknown): ServiceStats {
  const { service, kind } = (value ?? {}) as Partial<ServiceStats>;
  if (kind !== "hop" && kind !== "backend") throw new Error(STRANGER);
  if (service !== name) throw new Error(`it calls itself "${service}": check CHAIN`);
  return value as ServiceStats;
}

/** @param patience an answer that takes longer is none, in milliseconds */
export function createTier(
  { name, url }: { readonly name: string; readonly url: string },
  clock: Clock,
  patience: () => number = () => ANSWER_WITHIN_MS,
): Tier {
  const base = url.replace(/\/+$/, "");
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    let status = 0;
    try {
      const response = await ask(clock, { method, url: base + path, body, withinMs: patience() });
      status = response.status;
      const answer = (await jsonOf(response)) as { readonly detail?: string } | null;
      if (!response.ok) throw new Error(answer?.detail ?? `status ${response.status}`);
      if (answer === null) throw new Error(STRANGER);
      return path === "/stats" ? checkStats(name, answer) : answer;
    } catch (error) {
      throw new TierError(`${name} (${base}${path}): ${reasonOf(error)}`, status === 409);
    }
  };
  return {
    name,
    url: base,
    async readiness() {
      try {
        const { status } = await ask(clock, { method: "GET", url: `${base}/healthz`, withinMs: patience() });
        return status === 200 ? undefined : `it answers ${status}`;
      } catch (error) {
        return reasonOf(error);
      }
    },
    stats: async () => (await call("GET", "/stats")) as ServiceStats,
    beginRun: async (seed, run) => (await call("POST", "/run", { seed, run })) as RunDescription,
    async changeFaults(faults) {
      await call("PUT", "/faults", faults);
    },
    async changePolicy(settings) {
      await call("PUT", "/policy", settings);
    },
  };
}

/** Settings as `PUT /policy` takes them. */
type Settings = Readonly<Record<string, string>>;

/**
 * Gives `settings` to all tiers, or to none: where one does not take them, all get `before` back, as far as they can be
 * reached. Rejects with the first refusal.
 */
export async function changeAll(tiers: readonly Tier[], settings: Settings, before: Settings): Promise<void> {
  const give = (what: Settings) => Promise.allSettled(tiers.map((tier) => tier.changePolicy(what)));
  const refused = (await give(settings)).find((result) => result.status === "rejected");
  if (refused === undefined) return;
  await give(before);
  throw refused.reason;
}
