/** backend → hops → … as local processes, each on a free port of loopback. */
import { yieldToGenerator } from "./priority.ts";
import { startService, type Ended, type ServiceProgram } from "./program.ts";

export interface ChainOptions {
  /** The effective settings (lab/resolve.ts). */
  readonly env: Readonly<Record<string, string>>;
  /** What else a process needs from its surroundings, such as PATH. */
  readonly ambient: Readonly<Record<string, string>>;
  /** Gets what the services print, where the user wants to see it. */
  readonly echo?: ((text: string) => void) | undefined;
}

export interface Tier {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
}

export interface Chain {
  /** From the client's side down. */
  readonly tiers: readonly Tier[];
  /** Resolves when a service ends that nobody has asked to. */
  readonly death: Promise<Ended>;
}

const OWN_MAIN = new Set(["edge", "api", "backend"]);

function callOf(name: string): { main: string; args: string[] } {
  return OWN_MAIN.has(name)
    ? { main: `services/${name}/main`, args: [] }
    : { main: "services/hop/main", args: [name] };
}

/** Tier names from the client's side down; the backend is the last. */
export function tierNames(env: Readonly<Record<string, string>>): string[] {
  const hops = (env["TIERS"] ?? "").split(",").map((name) => name.trim());
  return [...hops.filter((name) => name !== ""), "backend"];
}

/** How the load program is told the chain. */
export function chainText(tiers: readonly Tier[]): string {
  return tiers.map(({ name, url }) => `${name}=${url}`).join(",");
}

/** A set of services that can be ended at any moment, also while it is being started. */
export interface ChainStarter {
  /** Deepest first. Rejects with the last words of a service that cannot start. */
  start(): Promise<Chain>;
  /** Ends all that were started, callers before callees, and resolves when they are gone. */
  stop(): Promise<void>;
  killNow(): void;
}

export function createChain(options: ChainOptions): ChainStarter {
  /** Backend first. */
  const services: ServiceProgram[] = [];
  let stopping = false;

  const startTier = async (name: string, upstreamUrl: string | undefined): Promise<Tier> => {
    if (stopping) throw new Error("the chain is being stopped");
    const { main, args } = callOf(name);
    const env = { ...options.ambient, ...options.env, HOST: "127.0.0.1", PORT: "0" };
    const withUpstream = upstreamUrl === undefined ? env : { ...env, UPSTREAM_URL: upstreamUrl };
    const service = startService({ name, main, args, env: withUpstream }, options.echo);
    services.push(service);
    void yieldToGenerator(service.pid);
    return { name, url: `http://127.0.0.1:${await service.port}`, pid: service.pid };
  };

  return {
    start: async () => {
      const tiers: Tier[] = [];
      for (const name of tierNames(options.env).toReversed()) {
        tiers.unshift(await startTier(name, tiers[0]?.url));
      }
      const deaths = services.map(({ ended }) => ended);
      return { tiers, death: Promise.race(deaths) };
    },
    stop: async () => {
      stopping = true;
      for (const service of services.toReversed()) await service.stop();
    },
    killNow: () => {
      for (const service of services) service.killNow();
    },
  };
}
