/**
 * Names that are probably meant for the lab, but that it does not know.
 *
 * A misspelt knob must not be ignored in silence: the run would show something else than was asked for. But the ambient
 * environment belongs to the user's shell, so only what looks like one of ours is a fault there.
 */
import type { Knob } from "./knob.ts";

/** Names that start like a hop's and are common in other people's environments. */
const FOREIGN =
  /^(API|EDGE)_(KEY|TOKEN|URL|URI|HOST|PORT|SECRET|USER|USERNAME|PASSWORD|VERSION|BASE|BASE_URL|ENDPOINT|PATH|DRIVER|ENV)S?$/;

/** Edit distance (insert, delete, replace), after Wagner and Fischer, 1974. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The known name that is nearest to `name`, if it is near enough to be meant. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: { name: string; distance: number } | undefined;
  for (const candidate of known) {
    const far = distance(name, candidate);
    if (far < (best?.distance ?? Infinity)) best = { name: candidate, distance: far };
  }
  return best !== undefined && best.distance <= Math.max(1, Math.floor(name.length / 5))
    ? best.name
    : undefined;
}

/** One sentence for a name that is not a knob. */
export function unknownName(name: string, known: Iterable<string>): string {
  const meant = nearest(name, known);
  const hint = meant === undefined ? ".env.example lists them all" : `did you mean ${meant}?`;
  return `${name}: there is no such setting; ${hint}`;
}

/** Faults among all names of an environment: those with a hop's prefix, and long ones that are nearly a knob's. */
export function unknownNames(
  env: Readonly<Record<string, string | undefined>>,
  known: ReadonlyMap<string, Knob>,
  tiers: readonly string[],
): string[] {
  const prefixes = tiers.map((tier) => `${tier.toUpperCase()}_`);
  const names = [...known.keys()];
  return Object.keys(env)
    .filter((name) => env[name] !== undefined && !known.has(name) && !FOREIGN.test(name))
    .filter((name) => {
      if (prefixes.some((prefix) => name.startsWith(prefix))) return true;
      return name.length >= 8 && name.includes("_") && nearest(name, names) !== undefined;
    })
    .map((name) => unknownName(name, names));
}
