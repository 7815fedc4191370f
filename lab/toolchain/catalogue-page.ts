/**
 * docs/catalogue.md, written from the presets themselves: what a preset says about itself is read from its first lines, and
 * what it does is computed by the policy's own code.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as format from "../../loadgen/core/format.ts";
import { retryPolicyOf } from "../../services/hop/config.ts";
import { createHop } from "../../services/hop/core/hop.ts";
import { hopBound } from "../../services/policy/amplification-bound.ts";
import { windowMsOf, type BudgetPolicy } from "../../services/policy/budget/budget-types.ts";
import { countedBy } from "../../services/policy/budget/bucket.ts";
import type { Reply } from "../../services/policy/outcome.ts";
import { isRetriedOn } from "../../services/policy/retry-on.ts";
import type { RetryPolicy } from "../../services/policy/retry-policy.ts";
import { seededRng } from "../../services/policy/rng.ts";
import { catalogueNames } from "../../services/settings/policy-files.ts";
import { resolveEnvironment } from "../../services/settings/resolve.ts";
import { readValues } from "../../services/settings/values.ts";
import { VirtualClock } from "../../services/virtual-time/clock.ts";

export interface Preset {
  /** As POLICY takes it: production/undici. */
  readonly name: string;
  readonly what: string;
  readonly source: string;
  readonly version: string;
  /** How it differs from what it stands for; "" where it does not. */
  readonly here: string;
  /** What the api does under it. */
  readonly policy: RetryPolicy;
}

/** The parts of a preset's head: its first sentence, then what stands behind "Source:", "Version:" and "Here:". */
function headOf(text: string): Omit<Preset, "name" | "policy"> {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("# "));
  const head = lines
    .slice(0, end)
    .map((line) => line.slice(2))
    .join(" ");
  const [, what = "", source = "", version = "", here = ""] =
    /^(.*?) Source: (.*?) Version: (.*?)(?: Here: (.*))?$/u.exec(head) ?? [];
  return { what, source, version, here };
}

export function presetsIn(root: string): Preset[] {
  return catalogueNames(root).map((name) => {
    const head = headOf(readFileSync(join(root, "policies", `${name}.env`), "utf8"));
    const overrides = { explicit: { WORLD: "virtual" }, ambient: {} };
    const { env } = resolveEnvironment({ root, policy: name, overrides });
    return { name, ...head, policy: retryPolicyOf(readValues(env), "api") };
  });
}

const REPLIES: readonly Reply[] = [
  { outcome: "failed", status: 500 },
  { outcome: "overloaded", status: 503 },
  { outcome: "failed", status: 0, sent: false },
];

/** Retries that go out when `calls` fail in one moment, at a fresh hop, with an answer that it retries. */
export function retriesAtOnce(policy: RetryPolicy, calls: number): number {
  const reply = REPLIES.find((each) => isRetriedOn(policy.retryOn, each));
  const clock = new VirtualClock();
  let retries = 0;
  const hop = createHop({
    policy,
    clock,
    rngFor: ({ id }) => seededRng(1, id),
    send: ({ attempt }, done) => {
      if (attempt === 2) retries += 1;
      return attempt === 1 && reply !== undefined ? clock.after(10, () => done(reply)) : () => {};
    },
  });
  for (let n = 0; n < calls; n += 1) {
    hop.handle({ id: String(n), method: "GET", path: "/", traceparent: "", attempt: 1 }, () => {});
  }
  clock.runUntil(120_000);
  return retries;
}

const PAID_IN: Readonly<Record<string, string>> = { none: "–", failures: "success", concurrent: "in flight" };

/** What earns a retry. */
export const paidIn = (budget: BudgetPolicy): string =>
  budget.kind === "concurrent-window"
    ? `begun in ${format.seconds(windowMsOf(budget) / 1000)}`
    : (PAID_IN[budget.kind] ?? countedBy(budget));

function mechanisms({ maxAttempts, backoff, budget, breaker, retryOn = [] }: RetryPolicy): string {
  const { kind, baseMs, jitter = 0 } = backoff;
  const spread = jitter === 0 ? "" : ` ±${format.exactPercent(jitter)}`;
  const wait = kind === "none" ? "at once" : `${kind} from ${format.duration(baseMs)}${spread}`;
  return [
    maxAttempts === 1 ? "1 attempt" : `${format.count(maxAttempts)} attempts, ${wait}, on ${retryOn.join(" ")}`,
    ...(budget.kind === "none" ? [] : [`budget: ${budget.kind}`]),
    ...(breaker === undefined ? [] : [`breaker: ${breaker.rule.kind}`]),
  ].join("; ");
}

/** Requests and seconds of the bounds in the table, and the calls that fail at once. */
const TABLE = { requests: 10_000, seconds: 10, atOnce: 1000 } as const;

function row({ name, source, version, policy }: Preset): string {
  const { budget } = policy;
  const bound = hopBound(policy, TABLE.requests, TABLE.seconds);
  const cells = [
    `\`${name}\``,
    source,
    version,
    mechanisms(policy),
    paidIn(budget),
    `${format.times(bound)}${bound === policy.maxAttempts && bound > 1 ? ", attempts alone" : ""}`,
    format.count(retriesAtOnce(policy, TABLE.atOnce)),
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

const HEAD = `# The catalogue: what people really run

\`make run POLICY=production/aws-2026\` runs the chain as if both hops were made of that client, SDK or mesh. Compare, sweep,
ablate and assert take the names as well: \`make compare POLICIES="production/envoy production/envoy-budget owner"\`.

A preset sets what the product decides: attempts, waits, what is retried, budget, breaker, its limit on the whole request.
How long one attempt may take stays the chain's (200 ms at the api, 700 ms at the edge), so that presets can be compared,
and since most of these products have no such limit. Whether a timeout is retried is the preset's again.

- **Pays in**: what earns a retry. In an outage requests go on paying and successes do not.
- **Bound**: the most attempts for a request at one hop, computed before anything is run
  (\`services/policy/amplification-bound.ts\`), for 10,000 requests in 10 s. "Attempts alone": no budget bounds it, or one
  that bounds how many retries are under way at once, and not how many there are.
- **At once**: 1,000 calls fail in one moment, at a hop that has just started. So many of them are retried.

<!-- Written by "npm run docs" from policies/production. -->

| preset | source | version | mechanisms | pays in | bound | at once |
|---|---|---|---|---|---|---|
`;

/** docs/catalogue.md. */
export function cataloguePage(root: string): string {
  const presets = presetsIn(root);
  const notes = presets.filter(({ here }) => here !== "");
  const differences = notes.map(({ name, here }) => `- \`${name}\`: ${here}`);
  return `${HEAD}${presets.map(row).join("\n")}

## How they differ from what they stand for

${differences.join("\n")}

Left out, since nothing here can say it: AWS's adaptive mode (a cubic limiter before each request), adaptive throttling of
first attempts (Google SRE, Envoy's admission control), breakers for each replica of their own, more than one hedge.
`;
}
