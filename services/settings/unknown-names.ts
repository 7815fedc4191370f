/**
 * Names that are meant for the lab, but that it does not know.
 *
 * A misspelt knob is a fault: without a word, the run would show something else than was asked for. In a file of the
 * lab and on the command line every unknown name is a fault. The ambient environment belongs to the user's shell:
 * there, only a name that looks like one of the lab's is.
 */
import leven from "leven";
import { prefixOf } from "./knobs/knob.ts";
import { knobNamed } from "./knobs/knobs.ts";
import { layerOf, type Layer } from "./layers.ts";
import { isTierName } from "./tiers.ts";

/**
 * What other programs put behind API_ or EDGE_: keys, addresses, and what Kubernetes sets for a service of that name.
 */
const FOREIGN =
  /^((BASE_?)?(URL|URI|PATH|DIR)|KEY|TOKEN|SECRET|HOST|HOSTNAME|PORT|ENDPOINT|DOMAIN|USER|USERNAME|PASSWORD|VERSION|BASE|ENV|ID|NAME|DRIVER|BINARY|CONFIG|SERVICE_.*|PORT_.*|.*_(KEY|TOKEN|SECRET|URL|ID))S?$/;

/** The hops that the policies of this repository name, in whatever chain they are used. */
const REFERENCE_HOPS = ["edge", "api"];

interface Scope {
  /** Every name that may be set. */
  readonly known: ReadonlySet<string>;
  readonly tiers: readonly string[];
  readonly layers: readonly Layer[];
}

const sortedLetters = (word: string): string => word.split("").toSorted().join("");

/** Slips of the finger between two words: letters put in, left out or replaced, and once two neighbours swapped. */
export function slipsBetween(a: string, b: string): number {
  const swapped = Array.from(a.slice(1), (next, i) => a.slice(0, i) + next + a.charAt(i) + a.slice(i + 2));
  return Math.min(leven(a, b), ...swapped.map((word) => 1 + leven(word, b)));
}

function nearest(name: string, known: Iterable<string>, most: number): string | undefined {
  let found: string | undefined;
  let least = most;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > least) continue;
    const slips = slipsBetween(name, candidate);
    if (slips <= least && (found === undefined || slips < least)) [found, least] = [candidate, slips];
  }
  return found;
}

/** How many slips still count as meant: a short word is near to too many others. */
function slipsAllowed(name: string): number {
  return name.length < 6 ? 1 : name.length < 10 ? 2 : 3;
}

/** The hop and the knob in a name like EDGE_MAX_ATTEMPTS, whether or not the chain has that hop. */
export function splitHopName(name: string): { hop: string; knob: string } | undefined {
  for (let at = name.indexOf("_"); at > 0; at = name.indexOf("_", at + 1)) {
    const hop = name.slice(0, at).toLowerCase();
    const knob = name.slice(at + 1);
    if (isTierName(hop) && knobNamed(knob) !== undefined) return { hop, knob };
  }
  return undefined;
}

function explain(name: string, { known, tiers }: Scope): string {
  const hopName = splitHopName(name);
  if (hopName !== undefined && knobNamed(hopName.knob)?.perHop !== true) {
    return `${name}: ${hopName.knob} holds for the whole run and cannot be set for one hop. Leave the prefix out.`;
  }
  const meant = nearest(name.toUpperCase(), known, slipsAllowed(name));
  // A knob's right name behind another hop's is no slip in the knob: only a near hop can have been meant.
  const mayBeMeant = hopName === undefined || nearest(hopName.hop, tiers, slipsAllowed(hopName.hop)) !== undefined;
  if (meant !== undefined && mayBeMeant) return `${name} is not a setting. Did you mean ${meant}?`;
  if (hopName !== undefined) {
    return `${name}: the chain has no hop called "${hopName.hop}" (TIERS=${tiers.join(",")}). Name it in TIERS, or leave the setting out.`;
  }
  return `${name} is not a setting. .env.example lists them all.`;
}

/**
 * A policy may name a hop that this chain is without, when the chain was chosen over its head or is not the usual one.
 */
function isLeftover(name: string, layer: Layer, { layers }: Scope): boolean {
  const hopName = splitHopName(name);
  if (hopName === undefined || knobNamed(hopName.knob)?.perHop !== true) return false;
  if (layer.kind === "file" && REFERENCE_HOPS.includes(hopName.hop)) return true;
  return layerOf(layers, "TIERS") > layers.indexOf(layer);
}

/**
 * Swapped letters, or one slip in a name too long for a coincidence: RAET, MAX_ATEMPTS; not DATE, which is near RATE.
 */
function isNearMiss(name: string, known: Iterable<string>): boolean {
  for (const candidate of known) {
    if (candidate.length < 4 || Math.abs(candidate.length - name.length) > 1) continue;
    const most = name.length < 8 ? 1 : 2;
    if (name.length < 8 && sortedLetters(candidate) !== sortedLetters(name)) continue;
    if (slipsBetween(name, candidate) <= most) return true;
  }
  return false;
}

function looksLikeOurs(name: string, { known, tiers }: Scope): boolean {
  const hop = tiers.find((tier) => name.startsWith(prefixOf(tier)));
  if (hop !== undefined) return !FOREIGN.test(name.slice(prefixOf(hop).length));
  return /^[A-Z][A-Z0-9_]*$/.test(name) && isNearMiss(name, known);
}

/** Longer than any name of a setting: what it may have meant is not looked for. */
const LONGEST_NAME = 120;

function explainAny(name: string, scope: Scope): string {
  if (name.length <= LONGEST_NAME) return explain(name, scope);
  return `${name.slice(0, 40)}… (${name.length} characters) is not a setting. .env.example lists them all.`;
}

/** One sentence for each fault of `layer`, with its name. */
export function unknownNames(layer: Layer, scope: Scope): { name: string; text: string }[] {
  const isShort = (name: string): boolean => name.length <= LONGEST_NAME;
  return Object.keys(layer.settings)
    .filter((name) => !scope.known.has(name) && !(isShort(name) && isLeftover(name, layer, scope)))
    .filter((name) => layer.kind !== "ambient" || (isShort(name) && looksLikeOurs(name, scope)))
    .map((name) => ({ name, text: explainAny(name, scope) }));
}
