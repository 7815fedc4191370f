/**
 * Settings that change nothing because of another one.
 *
 * Who types BUDGET_RATIO=0.5 and gets a chain without a budget would believe that budgets do nothing. But a policy's
 * BUDGET_RATIO is no fault when the user switches its budget off. So the layers decide:
 *
 *     a setting is at fault   when what makes it idle was there before it: a lower layer, or a default;
 *                             in the same layer, when it differs from what would hold without it
 *     a setting is a leftover when what makes it idle came in a higher layer
 *
 * The exception within a layer lets the full settings of a run be given again as one command.
 */
import { slowsStragglers } from "../contract/faults.ts";
import { nameFor, type Contradiction } from "./contradictions.ts";
import { hopName, knobNamed, KNOBS } from "./knobs/knobs.ts";
import { layerOf, type Layer } from "./layer.ts";
import { parseSetting } from "./parse.ts";
import type { Values } from "./values-type.ts";

interface Need {
  readonly knobs: readonly string[];
  /** The knob that decides, and which of its values let `knobs` have an effect. */
  readonly by: string;
  readonly works: (value: string) => boolean;
  /** Completes "it needs …". */
  readonly needs: string;
  /** A value that nobody would expect an effect of. */
  readonly harmless?: string;
  /** Whether something else lets `knobs` have an effect, whatever `by` is. */
  readonly unless?: (texts: Readonly<Record<string, string>>) => boolean;
}

const oneOf =
  (...values: string[]) =>
  (value: string): boolean =>
    values.includes(value);
const not =
  (...values: string[]) =>
  (value: string): boolean =>
    !values.includes(value);

const NEEDS: readonly Need[] = [
  { knobs: ["BACKOFF_BASE_MS"], by: "BACKOFF", works: not("none"), needs: "a backoff" },
  { knobs: ["BACKOFF_CAP_MS"], by: "BACKOFF", works: not("none", "fixed"), needs: "a backoff that grows" },
  { knobs: ["BUDGET_RATIO", "BUDGET_MIN_PER_S"], by: "BUDGET", works: not("none"), needs: "a budget" },
  {
    knobs: ["BUDGET_BURST", "BUDGET_START"],
    by: "BUDGET",
    works: oneOf("token-bucket", "success"),
    needs: "token-bucket or success",
  },
  { knobs: ["BUDGET_COST"], by: "BUDGET", works: oneOf("success"), needs: "success" },
  { knobs: ["BUDGET_WINDOW_S"], by: "BUDGET", works: oneOf("window", "decayed"), needs: "window or decayed" },
  { knobs: ["BUDGET_SCOPE"], by: "BUDGET", works: not("none"), needs: "a budget", harmless: "instance" },
  {
    knobs: ["BUDGET_LEASE", "BUDGET_FLOOR_PER_S", "BUDGET_STORE_URL", "BUDGET_STORE_TIMEOUT_MS"],
    by: "BUDGET_SCOPE",
    works: oneOf("fleet"),
    needs: "fleet",
  },
  { knobs: ["BREAKER_FAILURES"], by: "BREAKER", works: oneOf("consecutive"), needs: "consecutive" },
  {
    knobs: ["BREAKER_SHARE", "BREAKER_MIN_CALLS", "BREAKER_WINDOW_S"],
    by: "BREAKER",
    works: oneOf("rate"),
    needs: "rate",
  },
  {
    knobs: ["BREAKER_COOL_OFF_MS", "BREAKER_PROBES"],
    by: "BREAKER",
    works: not("none"),
    needs: "a breaker",
  },
  { knobs: ["ADMISSION_LIMIT"], by: "ADMISSION", works: oneOf("fixed"), needs: "fixed" },
  { knobs: ["ADMISSION_QUEUE"], by: "ADMISSION", works: not("off"), needs: "a limit" },
  { knobs: ["ADMISSION_RETRY_AFTER_S"], by: "ADMISSION", works: not("off"), needs: "a limit" },
  { knobs: ["ADMISSION_ORDER", "ADMISSION_CODEL"], by: "ADMISSION_QUEUE", works: not("0"), needs: "a queue" },
  { knobs: ["HEDGE_DELAY_MS"], by: "HEDGE", works: oneOf("delay"), needs: "delay" },
  { knobs: ["HEDGE_QUANTILE"], by: "HEDGE", works: oneOf("quantile"), needs: "quantile" },
  { knobs: ["HEDGE_RATIO"], by: "HEDGE", works: not("off"), needs: "second copies" },
  { knobs: ["TIE_CANCEL_MS"], by: "REPLICAS", works: not("1"), needs: "two replicas or more" },
  { knobs: ["STRAGGLERS_BY"], by: "STRAGGLER_SHARE", works: not("0"), needs: "stragglers" },
  { knobs: ["OVERLOAD_RETRY"], by: "RESPECT_RETRY_AFTER", works: oneOf("1"), needs: "1", harmless: "0" },
  { knobs: ["SHED_RETRY_AFTER_S"], by: "QUEUE_LIMIT", works: not("off"), needs: "a limit" },
  { knobs: ["IDEMPOTENCY_KEYS"], by: "WRITE_SHARE", works: not("0"), needs: "writes", harmless: "1" },
  { knobs: ["DEDUP_TTL_S"], by: "DEDUP", works: not("off"), needs: "remembered keys" },
  {
    knobs: ["STRAGGLER_MS"],
    by: "STRAGGLER_SHARE",
    works: not("0"),
    needs: "stragglers",
    harmless: "0",
    unless: (texts) => texts["SLOW_REPLICA"] !== "off",
  },
  {
    knobs: ["STRAGGLER_SHARE"],
    by: "STRAGGLER_MS",
    works: not("0"),
    needs: "some delay",
    harmless: "0",
    unless: (texts) => slowsStragglers(texts["FAULT_TIMELINE"] ?? ""),
  },
  {
    knobs: [
      "CAPACITY_BURST",
      "QUEUE_LIMIT",
      "DROP_EXPIRED",
      "LEAVE_ON_DISCONNECT",
      "QUEUE_ORDER",
      "CODEL",
      "CONCURRENCY_LIMIT",
      "DEDUP",
      "RESPONSE_LOSS",
      "STRAGGLER_SHARE",
      "REPLICAS",
    ],
    by: "THROTTLE",
    works: oneOf("queue"),
    needs: "queue",
  },
  {
    knobs: ["ONE_WAY_MS"],
    by: "WORLD",
    // Experiments leave WORLD at auto and choose virtual time for their runs alone.
    works: oneOf("virtual", "auto"),
    needs: "virtual: over HTTP a way takes what it takes",
    harmless: "0.4",
  },
  { knobs: ["CLOSED_CONNECTIONS"], by: "LOAD", works: oneOf("closed"), needs: "closed" },
];

interface Scope {
  readonly values: Values;
  readonly texts: Readonly<Record<string, string>>;
  readonly tiers: readonly string[];
  readonly layers: readonly Layer[];
}

/** What `name` would be if its layer did not set it. */
function textWithout(name: string, knobName: string, at: number, layers: readonly Layer[]): string {
  const lower = layers.slice(0, at);
  const of = (wanted: string): string | undefined => lower[layerOf(lower, wanted)]?.settings[wanted];
  const knob = knobNamed(knobName);
  const text = of(name) ?? of(knobName) ?? knob?.default ?? "";
  const parsing = knob === undefined ? undefined : parseSetting(knob, name, text);
  return parsing !== undefined && "parsed" in parsing ? parsing.parsed.text : text;
}

/** Judges the setting called `name`, which reaches `hops`; [""] stands for the run as a whole. */
function judge(need: Need, knob: string, name: string, hops: readonly string[], scope: Scope) {
  const { values, texts, layers } = scope;
  const at = layerOf(layers, name);
  if (at < 0 || hops.length === 0 || texts[name] === need.harmless || need.unless?.(texts) === true)
    return [];
  const deciders = [...new Set(hops.map((hop) => (hop === "" ? need.by : nameFor(values, need.by, hop))))];
  if (deciders.some((decider) => need.works(texts[decider] ?? ""))) return [];
  const newest = Math.max(...deciders.map((decider) => layerOf(layers, decider)));
  if (newest > at) return [];
  if (newest === at && texts[name] === textWithout(name, knob, at, layers)) return [];
  const because = deciders.map((decider) => `${decider}=${texts[decider]}`).join(" and ");
  const text = `${name}=${texts[name]} has no effect with ${because}: it needs ${need.needs}.`;
  return [{ names: [name, ...deciders], text }];
}

function byNeed(need: Need, scope: Scope): Contradiction[] {
  const { values, tiers } = scope;
  return need.knobs.flatMap((knob) => {
    const all = knobNamed(need.by)?.perHop === true ? tiers : [""];
    if (knobNamed(knob)?.perHop !== true) return judge(need, knob, knob, all, scope);
    const reached = tiers.filter((hop) => !values.isSet(knob, hop));
    return [
      ...judge(need, knob, knob, reached, scope),
      ...tiers.flatMap((hop) => judge(need, knob, hopName(hop, knob), [hop], scope)),
    ];
  });
}

/** A setting for all hops that reaches none, since each has its own. */
function overruled({ texts, tiers, layers }: Scope): Contradiction[] {
  return KNOBS.filter(({ perHop }) => perHop === true).flatMap(({ name }) => {
    const at = layerOf(layers, name);
    if (layers[at] === undefined || layers[at].kind === "file") return [];
    const own = tiers.map((hop) => hopName(hop, name));
    if (own.some((hopOwn) => texts[hopOwn] === undefined)) return [];
    const newest = Math.max(...own.map((hopOwn) => layerOf(layers, hopOwn)));
    if (newest > at || (newest === at && texts[name] === textWithout(name, name, at, layers))) return [];
    const text = `${name}=${texts[name]} has no effect: each hop has its own (${own.map((hopOwn) => `${hopOwn}=${texts[hopOwn]}`).join(", ")}). Set those.`;
    return [{ names: [name, ...own], text }];
  });
}

/** Every setting that changes nothing and was not meant to be left over. */
export function withoutEffect(
  values: Values,
  tiers: readonly string[],
  layers: readonly Layer[],
): Contradiction[] {
  const scope: Scope = { values, texts: values.effective(), tiers, layers };
  return [...NEEDS.flatMap((need) => byNeed(need, scope)), ...overruled(scope)];
}
