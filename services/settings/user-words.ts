/** What the user has said for a command, and from where: typed behind it, exported by the shell, or in .env. */
import { effectiveSettings, type SettingsRequest } from "./effective.ts";
import type { Knob } from "./knobs/knob.ts";
import { knobNamed } from "./knobs/knobs.ts";
import { splitOverrides } from "./overrides.ts";
import { parseSetting } from "./parse-setting.ts";
import { readDotEnv } from "./policy-files.ts";
import { splitHopName } from "./unknown-names.ts";
import { ConfigError } from "./values.ts";

export interface UserWords {
  /** Names of the settings that the user typed. */
  readonly typed: readonly string[];
  /** Knobs in the environment of the shell, with a hop's prefix or without. */
  readonly exported: readonly string[];
  /** Settings in .env. */
  readonly inFile: readonly string[];
  /** What the user has said, else the default, whatever the rest of the settings is. @throws ConfigError */
  readonly valueOf: (name: string) => string;
  /**
   * Effective settings with `overrides` over all else.
   * @param without names that were typed and are to count as not said
   * @throws ConfigError with every fault
   */
  readonly settingsFor: (
    overrides: Readonly<Record<string, string>>,
    without?: readonly string[],
  ) => Record<string, string>;
}

/** The knob that `name` sets, at one hop or everywhere. */
const knobOf = (name: string): Knob | undefined => knobNamed(name) ?? knobNamed(splitHopName(name)?.knob ?? "");

export function userWords({ root, environment }: Pick<SettingsRequest, "root" | "environment">): UserWords {
  const { explicit, ambient } = splitOverrides(environment);
  const file = readDotEnv(root).layer.settings;
  const exported = Object.keys(ambient).filter((name) => {
    const knob = ambient[name] === "" ? undefined : knobOf(name);
    return knob !== undefined && knob.notAmbient !== true;
  });
  const typed = Object.keys(explicit);
  return {
    typed,
    exported,
    inFile: Object.keys(file).filter((name) => knobOf(name) !== undefined),
    valueOf: (name) => {
      const knob = knobOf(name);
      const own = explicit[name] ?? (exported.includes(name) ? ambient[name] : file[name]);
      const text = own ?? knob?.default ?? "";
      if (knob === undefined) return text;
      const parsing = parseSetting(knob, name, text);
      if ("problem" in parsing) throw new ConfigError([parsing.problem]);
      return parsing.parsed.text;
    },
    settingsFor: (overrides, without = []) => {
      const said = Object.entries(environment).filter(([name]) => !without.includes(name));
      const names = new Set([...typed.filter((name) => !without.includes(name)), ...Object.keys(overrides)]);
      const settings = { ...Object.fromEntries(said), ...overrides, LAB_OVERRIDES: [...names].join(" ") };
      return effectiveSettings({ root, environment: settings });
    },
  };
}
