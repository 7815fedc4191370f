/**
 * One environment out of four sources, the later ones winning:
 *
 *     the knobs' defaults < .env < policies/<policy>.env < the environment < the command line
 *
 * A policy is nothing but overrides of the environment. A setting for one hop (EDGE_MAX_ATTEMPTS) wins over the one for
 * all hops, wherever either of them stands.
 */
import { addressShown } from "./addresses.ts";
import { knobNamed } from "./knobs/knobs.ts";
import type { Layer } from "./layers.ts";
import { ConfigError, readLayers } from "./values.ts";
import { readDotEnv, readPolicy } from "./policy-files.ts";

type Settings = Readonly<Record<string, string>>;

export interface ResolveRequest {
  /** The project's folder. */
  readonly root: string;
  /** The policy, where neither the command line, the environment nor .env names one. */
  readonly policy: string;
  readonly overrides: {
    /** Typed for this command: a name that the lab does not know is a fault. */
    readonly explicit: Settings;
    /** Whatever else is in the environment: only what is called like a setting is taken, or looked at twice. */
    readonly ambient: Settings;
  };
}

/** PORT, HOST and the like mean something else in most shells. */
function ambientLayer(ambient: Settings): Layer {
  const taken = Object.entries(ambient).filter(([name]) => knobNamed(name)?.notAmbient !== true);
  return { kind: "ambient", settings: Object.fromEntries(taken), where: () => "the environment" };
}

/** The lab gives each program its own; a run's effective.env, copied to a policy, may have those of that run. */
const OF_EACH_PROGRAM = ["HOST", "PORT", "UPSTREAM_URL", "CHAIN"];

/** A user who sets PORT=8080 would look for a service there, in vain: so it is a fault. */
function addressProblems(explicit: Settings): string[] {
  return OF_EACH_PROGRAM.filter((name) => (explicit[name] ?? "") !== "")
    .filter((name) => explicit[name] !== knobNamed(name)?.default)
    .map(
      (name) =>
        `${name}=${JSON.stringify(addressShown(explicit[name] ?? ""))} has no effect here: the lab gives each program an address of its own. Leave it out.`,
    );
}

/** What is wrong with a policy's name has been said by whoever looked for its file. */
function withoutPolicy(layer: Layer): Layer {
  const { POLICY: _, ...settings } = layer.settings;
  return { ...layer, settings };
}

/** The problems of `layers`; with none, their values. */
function readAll(layers: readonly Layer[]): { env: Record<string, string>; problems: readonly string[] } {
  try {
    return { env: readLayers(layers).effective(), problems: [] };
  } catch (error) {
    if (error instanceof ConfigError) return { env: {}, problems: error.problems };
    throw error;
  }
}

/** Every knob with its value. Throws one ConfigError with every fault of every source. */
export function resolveEnvironment({ root, policy, overrides }: ResolveRequest): {
  env: Record<string, string>;
} {
  const { explicit, ambient } = overrides;
  const own = readDotEnv(root);
  const name = explicit["POLICY"] ?? ambient["POLICY"] ?? own.layer.settings["POLICY"] ?? policy;
  const chosen = readPolicy(root, name);
  const layers: readonly Layer[] = [
    own.layer,
    chosen.layer,
    ambientLayer(ambient),
    { kind: "typed", settings: explicit },
  ];
  const { env, problems } = readAll(layers.map(withoutPolicy));
  const all = [...own.problems, ...chosen.problems, ...problems, ...addressProblems(explicit)];
  if (all.length > 0) throw new ConfigError(all);
  return { env: { ...env, POLICY: name } };
}
