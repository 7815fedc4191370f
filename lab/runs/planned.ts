/**
 * The settings of an experiment's runs, and what becomes of the user's own among them.
 *
 * What an experiment needs around it is its scene, and a word of the user's beats that. What tells its runs apart is not
 * for the user to set: what is typed and holds in no run is refused by name, and where it holds in some it is said in
 * which it does not. What merely stands in the environment or in .env is never refused, but it is said where it is idle.
 */
import { list } from "../../loadgen/core/format.ts";
import { hopName } from "../../services/settings/knobs/knob.ts";
import { tierList } from "../../services/settings/tiers.ts";
import { ConfigError } from "../../services/settings/values.ts";
import { allOf, type ExperimentContext } from "./context.ts";
import type { RunEnv } from "./pool.ts";

export interface Wanted {
  /** What the run is called, for people. */
  readonly name?: string;
  /** What holds unless the user says otherwise. */
  readonly scene?: RunEnv;
  /** What tells the run from the others: over all that the user says. */
  readonly settings: RunEnv;
  /** Made of what the user says, such as one seed after the other. */
  readonly derived?: RunEnv;
}

/** The scene, but for what the user has set himself. */
export function inScene({ typed, exported }: ExperimentContext, scene: RunEnv = {}): RunEnv {
  return Object.fromEntries(
    Object.entries(scene).filter(([name]) => !typed.includes(name) && !exported.includes(name)),
  );
}

/** What holds of `name` in the scene: the user's word, else the scene's. @throws ConfigError */
export const valueIn = (context: ExperimentContext, scene: RunEnv, name: string): string =>
  inScene(context, scene)[name] ?? context.valueOf(name);

/** Names as they are told: the first three of them. */
function told(names: readonly string[]): string {
  const shown = [...new Set(names)].map((name) => `"${name}"`);
  const more = shown.length - 3;
  return more > 0 ? `${shown.slice(0, 3).join(", ")} and ${more} more` : list(shown);
}

const ELSEWHERE = "Leave it out; bin/lab run takes it for a single run.";

/** What of what was typed holds in no run. Says where it holds in some alone. */
function idleProblems(context: ExperimentContext, wanted: readonly Wanted[]): string[] {
  const tiers = tierList(context.valueOf("TIERS"));
  return context.typed.flatMap((name) => {
    const own = tiers.map((hop) => hopName(hop, name));
    const without = wanted.filter(
      ({ settings }) => Object.hasOwn(settings, name) || own.every((one) => Object.hasOwn(settings, one)),
    );
    if (without.length === 0) return [];
    const said = `${name}=${context.valueOf(name)}`;
    if (without.length < wanted.length) {
      const where = told(without.map((one) => one.name ?? ""));
      context.note(`${said} does not hold in ${where}: there the experiment sets it itself.`);
      return [];
    }
    const instead = (Object.hasOwn(context.instead, name) && context.instead[name]) || ELSEWHERE;
    return [`${said}: this experiment sets that itself, so it would change nothing. ${instead}`];
  });
}

/** Says what of the environment and of .env holds in no run, since the experiment sets it. */
function noteIdle(context: ExperimentContext, wanted: readonly Wanted[], envs: readonly RunEnv[]): void {
  const { exported, inFile, typed, valueOf, note } = context;
  const isSet = (name: string): boolean =>
    wanted.some(({ scene, settings, derived }) => Object.hasOwn({ ...scene, ...settings, ...derived }, name));
  const idle = (names: readonly string[]): string[] =>
    names
      .filter((name) => !typed.includes(name) && isSet(name))
      .filter((name) => envs.every((env) => env[name] !== valueOf(name)))
      .map((name) => `${name}=${valueOf(name)}`);
  const tell = (settings: readonly string[], where: string): void => {
    if (settings.length === 0) return;
    const [does, it] = settings.length === 1 ? ["does", "it"] : ["do", "them"];
    note(`${list(settings)} ${where} ${does} not hold here: the experiment sets ${it} itself.`);
  };
  tell(idle(exported), "in the environment");
  tell(idle(inFile.filter((name) => !exported.includes(name))), "in .env");
}

/** The settings among `typed` that change nothing here since another one makes them idle: "A=1 has no effect with B=2". */
const idleAmong = (typed: readonly string[], problems: readonly string[]): string[] =>
  typed.filter((name) => problems.some((one) => one.startsWith(`${name}=`) && one.includes(" has no effect")));

/** Makes settings for one run, and says which of those typed are idle there, if that is all that is wrong. */
function judged(context: ExperimentContext, overrides: RunEnv): { idle: string[]; env: () => RunEnv } {
  const { typed } = context;
  const whole = (): RunEnv => context.settingsFor(overrides);
  try {
    const env = whole();
    return { idle: [], env: () => env };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { idle: idleAmong(typed, error.problems), env: whole };
  }
}

/** By run: its settings. What is idle in some runs alone is left out there, and that is said; what is idle in all is not. */
function envsOf(context: ExperimentContext, wanted: readonly Wanted[]): (() => RunEnv)[] {
  const overrides = wanted.map(({ scene, settings, derived = {} }) => ({
    ...inScene(context, scene),
    ...settings,
    ...derived,
  }));
  const runs = overrides.map((own) => judged(context, own));
  const nameOf = (i: number): string => wanted[i]?.name ?? wanted[i]?.settings["POLICY"] ?? "";
  const partly = context.typed.filter(
    (name) => runs.some(({ idle }) => idle.includes(name)) && !runs.every(({ idle }) => idle.includes(name)),
  );
  for (const name of partly) {
    const where = told(runs.flatMap(({ idle }, i) => (idle.includes(name) ? [nameOf(i)] : [])));
    context.note(`${name}=${context.valueOf(name)} has no effect in ${where}: these run without it.`);
  }
  return runs.map(({ idle, env }, i) => {
    const without = idle.filter((name) => partly.includes(name));
    return without.length === 0 ? env : () => context.settingsFor(overrides[i] ?? {}, without);
  });
}

/**
 * Each with its effective settings.
 * @throws ConfigError with the faults of all, and with what was typed although the experiment sets it itself
 */
export function planned<W extends Wanted>(
  context: ExperimentContext,
  wanted: readonly W[],
): (W & { readonly env: RunEnv })[] {
  const envs = envsOf(context, wanted);
  const check = (): undefined => {
    const problems = idleProblems(context, wanted);
    if (problems.length > 0) throw new ConfigError(problems);
  };
  const [, ...all] = allOf<readonly (undefined | (W & { readonly env: RunEnv }))[]>([
    check,
    ...wanted.map((one, i) => () => ({ ...one, env: envs[i]?.() ?? {} })),
  ]);
  const runs = all.filter((run) => run !== undefined);
  noteIdle(
    context,
    wanted,
    runs.map(({ env }) => env),
  );
  return runs;
}
