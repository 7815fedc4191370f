/**
 * One environment out of four sources, the later ones winning:
 *
 *     the knobs' defaults < .env < policies/<policy>.env < the ambient environment < the command line
 *
 * A policy is nothing but environment overrides. An unknown name in a file or on the command line is a fault; in the
 * ambient environment, which the user's shell fills, only one that looks like ours is.
 */
import { ConfigError } from "../services/platform/config-error.ts";
import { unknownName, unknownNames } from "../services/platform/unknown-names.ts";
import { knownNames, readValues, tiersOf } from "../services/platform/values.ts";
import { readDotEnv, readPolicy, type SettingsFile } from "./policy-files.ts";

type Settings = Readonly<Record<string, string>>;

export interface ResolveRequest {
  /** The project's folder. */
  readonly root: string;
  /** The policy, where neither the command line, the environment nor .env names one. */
  readonly policy: string;
  readonly overrides: {
    /** Typed for this command. */
    readonly explicit: Settings;
    /** Whatever else is in the environment. */
    readonly ambient: Settings;
  };
}

type Known = ReturnType<typeof knownNames>;

function unknownInFile(file: SettingsFile, known: Known): string[] {
  return Object.keys(file.settings)
    .filter((name) => !known.has(name))
    .map((name) => `${file.label} line ${file.lineOf(name)}: ${unknownName(name, known.keys())}`);
}

function ambientSettings(ambient: Settings, known: Known): Settings {
  const taken = Object.entries(ambient).filter(
    ([name]) => known.has(name) && known.get(name)?.notAmbient !== true,
  );
  return Object.fromEntries(taken);
}

/** Where a name was set, so that a message about it can say so. */
function origin(name: string, files: readonly SettingsFile[], typed: Settings): string {
  if (typed[name] !== undefined) return "";
  const file = files.findLast(({ settings }) => settings[name] !== undefined);
  return file === undefined ? "" : ` (${file.label} line ${file.lineOf(name)})`;
}

/** Every knob with its value. Throws one ConfigError with every fault of every source. */
export function resolveEnvironment({ root, policy, overrides }: ResolveRequest): {
  env: Record<string, string>;
} {
  const { explicit, ambient } = overrides;
  const own = readDotEnv(root);
  const chosen = explicit["POLICY"] ?? ambient["POLICY"] ?? own?.settings["POLICY"] ?? policy;
  const policyFile = readPolicy(root, chosen);
  const files = own === undefined ? [policyFile] : [own, policyFile];
  const named = Object.assign({}, ...files.map(({ settings }) => settings), ambient, explicit) as Settings;
  const tiers = tiersOf(named);
  const known = knownNames(tiers);
  const typed = { ...ambientSettings(ambient, known), ...explicit };
  const merged = { ...own?.settings, ...policyFile.settings, ...typed, POLICY: chosen };
  const strangers = [
    ...files.flatMap((file) => unknownInFile(file, known)),
    ...Object.keys(explicit)
      .filter((name) => !known.has(name))
      .map((name) => unknownName(name, known.keys())),
    ...unknownNames(ambient, known, tiers),
  ];
  const settings = Object.fromEntries(Object.entries(merged).filter(([name]) => known.has(name)));
  try {
    const values = readValues(settings, { explicit: new Set(Object.keys(explicit)) });
    if (strangers.length > 0) throw new ConfigError([]);
    return { env: values.effective() };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const located = error.problems.map((problem) => {
      const name = /^[A-Z][A-Z0-9_]*/.exec(problem)?.[0] ?? "";
      return problem + origin(name, files, typed);
    });
    throw new ConfigError([...strangers, ...located]);
  }
}
