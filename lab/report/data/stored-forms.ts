/**
 * The forms of what runs leave, for whoever reads it again. Fields that are not named here, as a newer version may have
 * them, are left out.
 */
import { z } from "zod";
import type { ClientRecord } from "../../../loadgen/core/record.ts";
import { BACKEND_COUNTS, type RunSummary, type Validity } from "../../../loadgen/core/run-summary.ts";
import type { Sample } from "../../../loadgen/core/series.ts";
import { HEDGE_EVENTS } from "../../../services/policy/hedge/hedge.ts";
import { OUTCOMES, STOP_REASONS } from "../../../services/policy/outcome.ts";
import { forTerminal } from "../../../services/settings/known-error.ts";

/** More than any text of ours has; a stranger's may be a book. */
const MOST_CHARACTERS = 2000;

/** Words of a stranger's file go to terminals. */
const text = z.string().transform((all) => forTerminal(all.slice(0, MOST_CHARACTERS)));
const number = z.number();
const count = z.number().min(0);
/** Nothing was measured. */
const ratio = count.nullable();
const counts = <const Names extends readonly string[]>(names: Names) => z.partialRecord(z.enum(names), count);

const away = z.exactOptional(z.object({ answers: count, awayMs: count }));

const tier = z.object({
  arrivals: count,
  attempts: count,
  unsent: count,
  lost: number,
  bound: ratio,
  cpuShare: number.nullable(),
  stopReasons: counts(STOP_REASONS),
  hedged: z.exactOptional(z.record(z.enum(HEDGE_EVENTS), count)),
  store: away,
  spans: away,
});

const now = z.object({
  schema: z.literal(2),
  policy: text,
  world: z.enum(["compose", "process", "virtual"]),
  scenario: text,
  seed: number,
  startedAt: text.nullable(),
  valid: z.boolean(),
  validity: z.exactOptional(z.enum(["valid", "noisy", "invalid"])),
  invalidReasons: z.array(text).readonly(),
  noisyReasons: z.array(text).readonly().default([]),
  offeredRps: count,
  durationSeconds: count,
  clientRequests: count,
  succeeded: count,
  successRate: ratio,
  tiers: z.record(text, tier),
  backendCalls: count,
  amplification: ratio,
  amplificationBound: ratio,
  wastedBackendCalls: count,
  backend: z.record(z.enum(BACKEND_COUNTS), count),
  latencyMs: z.object({ p50: ratio, p90: ratio, p99: ratio, p999: ratio, max: ratio }),
  outcomes: z.record(z.enum(OUTCOMES), count),
  stopReasons: counts(STOP_REASONS),
  effects: count,
  duplicateEffects: count,
  limit: z.object({ successRate: ratio, amplification: ratio }),
  goodputOfLimit: ratio,
  generator: z.object({
    mode: z.enum(["open", "closed"]),
    scheduled: count,
    sent: count,
    dropped: count,
    late: count,
    lateP99Ms: number.nullable(),
    lateMaxMs: number.nullable(),
    cpuShare: number.nullable(),
  }),
  loopLagMs: z.exactOptional(z.record(text, count)),
});

const before = now.extend({
  schema: z.literal(1),
  backend: z.object({ ok: count, failed: count, shed: count, expired: count, left: count, longestQueue: count }),
});

const noCounts = Object.fromEntries(BACKEND_COUNTS.map((name) => [name, 0])) as RunSummary["backend"];

/** Schema 1 had fewer rows in its ledger: what none of them names waited at the end. */
function wholeLedger({ backend, backendCalls, wastedBackendCalls: wasted }: z.output<typeof before>) {
  const { ok, failed, shed, expired, left } = backend;
  const waiting = Math.max(0, backendCalls - ok - failed - shed - expired - left);
  return { ...noCounts, ...backend, waiting, wasted };
}

/** A run from before there were grades was judged all the same, and `valid` has the last word. */
function graded<Run extends { readonly valid: boolean; readonly validity?: Validity }>(run: Run) {
  const validity: Validity = !run.valid ? "invalid" : run.validity === "noisy" ? "noisy" : "valid";
  return { ...run, validity };
}

/** Schema 2, or schema 1, which is read as if it were 2. */
export const SUMMARY_FORM = z
  .discriminatedUnion("schema", [now, before])
  .transform((one) => (one.schema === 2 ? one : { ...one, schema: 2 as const, backend: wholeLedger(one) }))
  .transform(graded) satisfies z.ZodType<RunSummary>;

/** A line of records.ndjson. */
export const RECORD_FORM = z.object({
  n: count,
  id: text,
  method: z.enum(["GET", "POST"]),
  intendedMs: number,
  lateMs: number,
  latencyMs: number,
  outcome: z.enum(OUTCOMES),
  status: count,
  stop: z.enum(STOP_REASONS).optional(),
  attempts: count.optional(),
  traceId: text,
}) satisfies z.ZodType<ClientRecord>;

/** A line of series.ndjson. */
export const SAMPLE_FORM = z.object({
  tS: number,
  offeredRps: number,
  tiers: z.record(text, z.object({ arrivals: number, attempts: number })),
  backend: z.object({
    arrivals: number,
    ok: number,
    failed: number,
    shed: number,
    wasted: number,
    waiting: number,
    tokens: number,
    capacity: number,
    errorRate: number,
  }),
}) satisfies z.ZodType<Sample>;
