/**
 * Looks at all tiers once a second while a run goes on: for the storm over time, for the progress, and to notice a tier
 * that has stopped answering.
 */
import { pause } from "../send/pause.ts";
import type { ServiceStats } from "../core/run-facts.ts";
import { faultsAt, NOTHING_COUNTED, sampleOf, type Reading, type Sample } from "../core/series.ts";
import type { Tier } from "./tiers.ts";
import type { Clock } from "../../services/policy/clock.ts";
import { messageOf } from "../../services/settings/known-error.ts";

const EVERY_MS = 1000;
/** One unanswered question may be chance. */
const FAILURES_OF_THE_DEAD = 2;

export interface WatchParts {
  readonly tiers: readonly Tier[];
  readonly clock: Clock;
  /** The schedule's time 0 on the clock. */
  readonly startMs: number;
  /** Milliseconds from there to the end of the load. */
  readonly loadEndsMs: number;
  /** Requests that were due by now. */
  readonly due: () => number;
  readonly onSample: (sample: Sample, stats: readonly ServiceStats[]) => void;
  /** A tier has stopped answering; the text says which and why. Called once. */
  readonly onDeath: (what: string) => void;
}

export interface Watch {
  /** The last that is known of each tier, in the order of the tiers; undefined before the first answer. */
  last(): readonly (ServiceStats | undefined)[];
  /** Looks once more and stops. */
  stop(): Promise<void>;
}

export function readingOf(atMs: number, due: number, stats: readonly ServiceStats[]): Reading {
  const tiers: Record<string, { arrivals: number; attempts: number }> = {};
  let { backend } = NOTHING_COUNTED;
  for (const each of stats) {
    if (each.kind === "hop") tiers[each.service] = { arrivals: each.arrivals, attempts: each.attempts };
    else {
      const { arrivals, ok, failed, shed, wasted, waiting, tokens, faultsHistory } = each;
      const { capacity, errorRate } = faultsAt(faultsHistory, Infinity) ?? { capacity: 0, errorRate: 0 };
      backend = { arrivals, ok, failed, shed, wasted, waiting, tokens, capacity, errorRate };
    }
  }
  return { atMs, due, tiers, backend };
}

/** Asks all tiers at once, and keeps the last answer of each. */
function createRound({ tiers, onDeath }: Pick<WatchParts, "tiers" | "onDeath">) {
  const last: (ServiceStats | undefined)[] = tiers.map(() => undefined);
  const failures = tiers.map(() => 0);
  let dead = false;
  const askOne = async (tier: Tier, i: number): Promise<boolean> => {
    try {
      last[i] = await tier.stats();
      failures[i] = 0;
      return true;
    } catch (error) {
      failures[i] = (failures[i] ?? 0) + 1;
      if (failures[i] === FAILURES_OF_THE_DEAD && !dead) {
        dead = true;
        onDeath(messageOf(error));
      }
      return false;
    }
  };
  return {
    last: () => last,
    /** The stats of all tiers; undefined where one did not answer. */
    async ask(): Promise<readonly ServiceStats[] | undefined> {
      const answered = await Promise.all(tiers.map(askOne));
      return answered.every(Boolean) ? last.flatMap((stats) => stats ?? []) : undefined;
    },
  };
}

/**
 * When to look next, in milliseconds from the schedule's time 0: at a whole second, half a second to one and a half
 * from now, and at the end of the load where that is at least half a second from now. Seconds that a stall or a slow answer
 * took are left out, since a rate over an instant says nothing.
 */
export function nextLookMs(nowMs: number, loadEndsMs: number): number {
  const wholeMs = (Math.round(nowMs / EVERY_MS) + 1) * EVERY_MS;
  return loadEndsMs >= nowMs + EVERY_MS / 2 ? Math.min(wholeMs, loadEndsMs) : wholeMs;
}

export function startWatch(parts: WatchParts): Watch {
  const { clock, startMs, loadEndsMs, due, onSample } = parts;
  const round = createRound(parts);
  const stopping = new AbortController();
  let before = NOTHING_COUNTED;
  const look = async (): Promise<void> => {
    const stats = await round.ask();
    // Stamped after the answers: what a slow one counted meanwhile belongs to this interval.
    const atMs = clock.now() - startMs;
    if (stats === undefined || atMs <= before.atMs) return;
    const reading = readingOf(atMs, due(), stats);
    onSample(sampleOf(before, reading), stats);
    before = reading;
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const nowMs = clock.now() - startMs;
      await pause(clock, nextLookMs(nowMs, loadEndsMs) - nowMs, stopping.signal);
      await look();
    }
  };
  const looping = loop();
  return {
    last: round.last,
    async stop() {
      stopping.abort();
      await looping;
    },
  };
}
