/**
 * Settings that change nothing because of another one, by the `needs` of each knob's row.
 *
 * Somebody who sets BUDGET_RATIO=0.5 without a BUDGET would wrongly conclude that budgets do nothing, so that is a
 * fault. But a policy's BUDGET_RATIO is no fault where the user switches the policy's budget off. The layers decide:
 *
 *     a setting is at fault   when what makes it idle was there before it: a lower layer, or a default;
 *                             in the same layer, when it differs from what would hold without it
 *     a setting is a leftover when what makes it idle came in a higher layer
 *
 * The exception within a layer lets the full settings of a run be given again as one command.
 */
import { nameFor, type Contradiction, type Reader } from "./contradictions.ts";
import { hopName, meets, type Knob, type Need } from "./knobs/knob.ts";
import { knobNamed, KNOBS } from "./knobs/knobs.ts";
import { layerOf, type Layer } from "./layers.ts";
import { parseSetting } from "./parse-setting.ts";

interface Scope {
  readonly reader: Reader;
  readonly tiers: readonly string[];
  readonly layers: readonly Layer[];
}

/** What `name` would be if its layer did not set it. */
function textWithout(name: string, knob: Knob, at: number, layers: readonly Layer[]): string {
  const lower = layers.slice(0, at);
  const of = (wanted: string): string | undefined => lower[layerOf(lower, wanted)]?.settings[wanted];
  const text = of(name) ?? of(knob.name) ?? knob.default;
  const parsing = parseSetting(knob, name, text);
  return "parsed" in parsing ? parsing.parsed.text : text;
}

/** Whether what came last among `others`, which make `name` idle, was there before `name`. */
function isAtFault(name: string, knob: Knob, others: readonly string[], { reader, layers }: Scope): boolean {
  const at = layerOf(layers, name);
  const newest = Math.max(...others.map((other) => layerOf(layers, other)));
  return newest < at || (newest === at && reader.texts[name] !== textWithout(name, knob, at, layers));
}

/** Judges the setting called `name`, which reaches `hops`; [""] stands for the run as a whole. */
function judge(need: Need, knob: Knob, name: string, hops: readonly string[], scope: Scope): Contradiction[] {
  const { texts } = scope.reader;
  if (layerOf(scope.layers, name) < 0 || hops.length === 0) return [];
  if (texts[name] === need.harmless || need.unless?.(texts) === true) return [];
  const deciders = [...new Set(hops.map((hop) => nameFor(scope.reader, need.knob, hop)))];
  if (deciders.some((decider) => meets(need, texts[decider] ?? ""))) return [];
  if (!isAtFault(name, knob, deciders, scope)) return [];
  const because = deciders.map((decider) => `${decider}=${texts[decider]}`).join(" and ");
  const text = `${name}=${texts[name]} has no effect with ${because}: it needs ${need.what}.`;
  return [{ names: [name, ...deciders], text }];
}

function byNeed(knob: Knob, need: Need, scope: Scope): Contradiction[] {
  const { tiers, reader } = scope;
  const all = knobNamed(need.knob)?.perHop === true ? tiers : [""];
  if (knob.perHop !== true) return judge(need, knob, knob.name, all, scope);
  const reached = tiers.filter((hop) => reader.texts[hopName(hop, knob.name)] === undefined);
  return [
    ...judge(need, knob, knob.name, reached, scope),
    ...tiers.flatMap((hop) => judge(need, knob, hopName(hop, knob.name), [hop], scope)),
  ];
}

/** A setting for all hops that reaches none, since each has its own. */
function overruled(knob: Knob, scope: Scope): Contradiction[] {
  const { tiers, layers, reader } = scope;
  const { name } = knob;
  const { texts } = reader;
  const layer = layers[layerOf(layers, name)];
  const own = tiers.map((hop) => hopName(hop, name));
  if (layer === undefined || layer.kind === "file" || own.some((hopOwn) => texts[hopOwn] === undefined)) return [];
  if (!isAtFault(name, knob, own, scope)) return [];
  const hops = own.map((hopOwn) => `${hopOwn}=${texts[hopOwn]}`).join(", ");
  return [
    {
      names: [name, ...own],
      text: `${name}=${texts[name]} has no effect: each hop has its own (${hops}). Set those.`,
    },
  ];
}

/** Every setting that changes nothing and was not meant to be left over. */
export function withoutEffect(reader: Reader, tiers: readonly string[], layers: readonly Layer[]): Contradiction[] {
  const scope: Scope = { reader, tiers, layers };
  return KNOBS.flatMap((knob) => [
    ...(knob.needs ?? []).flatMap((need) => byNeed(knob, need, scope)),
    ...(knob.perHop === true ? overruled(knob, scope) : []),
  ]);
}
