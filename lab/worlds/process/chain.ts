/**
 * backend → hops → … as local processes, each on a free port of loopback; a hop may be several (API_INSTANCES=4). Where
 * instances share a budget and no store is named, a Redis of this chain's own comes first.
 */
import { instancesOf } from "../../../services/settings/instances.ts";
import { readValues, tiersOf } from "../../../services/settings/values.ts";
import { startBudgetStore, type RedisProcess } from "./budget-store.ts";
import { yieldToGenerator } from "./priority.ts";
import { startService, type Ended, type ServiceProgram } from "./program.ts";

export interface ChainOptions {
  /** The effective settings (services/settings/resolve.ts). */
  readonly env: Readonly<Record<string, string>>;
  /** What else a process needs from its surroundings, such as PATH. */
  readonly ambient: Readonly<Record<string, string>>;
  /** Gets what the services print, where the user wants to see it. */
  readonly echo?: ((text: string) => void) | undefined;
}

export interface ProcessTier {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
}

export interface ProcessChain {
  /** From the client's side down; a hop of several instances stands once for each of them. */
  readonly tiers: readonly ProcessTier[];
  /** Where one was started for this chain. Its end is no failure: the hops go on without it. */
  readonly store: RedisProcess | undefined;
  /** Resolves when a service ends that nobody has asked to. */
  readonly death: Promise<Ended>;
}

const OWN_MAIN = new Set(["edge", "api", "backend"]);

function callOf(name: string): { main: string; args: string[] } {
  return OWN_MAIN.has(name) ? { main: `services/${name}/main`, args: [] } : { main: "services/hop/main", args: [name] };
}

/** Tier names from the client's side down; the backend is the last. */
export function tierNames(env: Readonly<Record<string, string>>): string[] {
  const hops = (env["TIERS"] ?? "").split(",").map((name) => name.trim());
  return [...hops.filter((name) => name !== ""), "backend"];
}

/** How the load program is told the chain. */
export function chainText(tiers: readonly ProcessTier[]): string {
  return tiers.map(({ name, url }) => `${name}=${url}`).join(",");
}

/** A set of services that can be ended at any moment, also while it is being started. */
export interface ChainStarter {
  /** Deepest first. Rejects with the last words of a service that cannot start. */
  start(): Promise<ProcessChain>;
  /** Ends all that were started, callers before callees, and resolves when they are gone. */
  stop(): Promise<void>;
  killNow(): void;
}

/** Whether a hop shares its budget, and nobody has said where. */
function needsStore(env: Readonly<Record<string, string>>): boolean {
  const values = readValues(env);
  if (values.text("BUDGET_STORE_URL") !== "") return false;
  return tiersOf(env).some(
    (hop) => values.text("BUDGET_SCOPE", hop) === "fleet" && values.text("BUDGET", hop) !== "none",
  );
}

class Starter implements ChainStarter {
  private readonly options: ChainOptions;
  /** Backend first. */
  private readonly services: ServiceProgram[] = [];
  private store: RedisProcess | undefined;
  private stopping = false;

  constructor(options: ChainOptions) {
    this.options = options;
  }

  async start(): Promise<ProcessChain> {
    const { env, ambient } = this.options;
    if (needsStore(env)) this.store = await startBudgetStore(ambient);
    if (this.stopping) await this.store?.stop();
    const values = readValues(env);
    const tiers: ProcessTier[] = [];
    let upstream: string | undefined;
    for (const name of tierNames(env).toReversed()) {
      const count = upstream === undefined ? 1 : instancesOf(values, name);
      const instances = await Promise.all(Array.from({ length: count }, () => this.startTier(name, upstream)));
      tiers.unshift(...instances);
      upstream = instances.map(({ url }) => url).join(",");
    }
    const deaths = this.services.map(({ ended }) => ended);
    return { tiers, store: this.store, death: Promise.race(deaths) };
  }

  async stop(): Promise<void> {
    this.stopping = true;
    for (const service of this.services.toReversed()) await service.stop();
    await this.store?.stop();
  }

  killNow(): void {
    for (const service of this.services) service.killNow();
    this.store?.killNow();
  }

  private async startTier(name: string, upstream: string | undefined): Promise<ProcessTier> {
    if (this.stopping) throw new Error("the chain is being stopped");
    const { main, args } = callOf(name);
    const { env, ambient, echo } = this.options;
    const own = { ...ambient, ...env, HOST: "127.0.0.1", PORT: "0" };
    const store = this.store === undefined ? {} : { BUDGET_STORE_URL: this.store.url };
    const below = upstream === undefined ? {} : { UPSTREAM_URL: upstream };
    const service = startService({ name, main, args, env: { ...own, ...store, ...below } }, echo);
    this.services.push(service);
    const port = await service.port;
    // Not before: nothing of a start is measured, and from behind a busy machine it would hardly come to its end.
    void yieldToGenerator(service.pid);
    return { name, url: `http://127.0.0.1:${port}`, pid: service.pid };
  }
}

export function createProcessChain(options: ChainOptions): ChainStarter {
  return new Starter(options);
}
