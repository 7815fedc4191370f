/**
 * The life of a run (docs/contracts.md): ready, warm-up, begin, load, drain, counters.
 *
 * It may end early, when the user stops it or a tier stops answering. What is known by then is still handed back, with
 * the incident in words.
 */
import type { ProcessStats } from "../services/platform/process-stats.ts";
import type { Attack, OnRecord } from "./attack.ts";
import type { LoadConfig } from "./config.ts";
import { startPacer } from "./pacer.ts";
import { awaitReady, beginRun, settle, warmUp, type Stage } from "./prepare.ts";
import type { RunFacts, ServiceStats, TierFacts } from "./run-facts.ts";
import type { Sample } from "./series.ts";
import { startWatch, type Watch } from "./watch.ts";

/** What the world gets to see of a run while it goes on. */
export interface Listeners {
  /** The measured run begins now. */
  readonly onBegin: () => void;
  readonly onRecord: OnRecord;
  readonly onSample: (sample: Sample) => void;
  /** Once a second. */
  readonly onProgress: (progress: Progress) => void;
}

export interface Progress {
  readonly elapsedS: number;
  readonly due: number;
  readonly backendCalls: number;
}

export interface RunParts extends Stage {
  readonly config: LoadConfig;
  /** Of the load program itself. */
  readonly process: ProcessStats;
  readonly listeners: Listeners;
}

/** How the load went; what `RunFacts` needs besides the records. */
export type RunOutcome = Pick<
  RunFacts,
  "loadedS" | "elapsedS" | "clientCpuShare" | "tiers" | "underWay" | "incidents"
> & {
  readonly due: number;
};

/** Sends the load, in whatever way, until it is over or `stop` is aborted. */
export type Load = (run: LoadRun) => Promise<void>;

export interface LoadRun {
  readonly config: LoadConfig;
  readonly attack: Attack;
  readonly stop: AbortSignal;
  readonly onStart: (startMs: number) => void;
  readonly onDue: () => void;
  readonly onRecord: OnRecord;
}

/** Each request when it is due. */
export const openLoop: Load = async ({ config, attack, stop, onStart, onDue, onRecord }) => {
  let startMs = 0;
  const pacer = startPacer({
    config,
    onStart(at) {
      startMs = at;
      onStart(at);
    },
    onDue(arrival) {
      if (stop.aborted) return;
      onDue();
      attack.send(arrival, startMs, onRecord);
    },
  });
  stop.addEventListener("abort", () => pacer.stop(), { once: true });
  await pacer.over;
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The final counters where they can be had, else the last ones. */
async function finalStats(stage: Stage, watch: Watch | undefined, begun: readonly ServiceStats[]) {
  const finals = await Promise.all(stage.tiers.map((tier) => tier.stats().catch(() => undefined)));
  return finals.map((stats, i) => stats ?? watch?.last()[i] ?? begun[i]);
}

function tierFacts(
  descriptions: readonly TierFacts["description"][],
  begun: readonly ServiceStats[],
  last: readonly (ServiceStats | undefined)[],
): TierFacts[] {
  return descriptions.flatMap((description, i) => {
    const stats = last[i];
    return stats === undefined ? [] : [{ description, begun: begun[i], last: stats }];
  });
}

/** What went wrong while the load ran, and the signal that ends it. */
function createIncidents(stop: AbortSignal) {
  const incidents: string[] = [];
  const controller = new AbortController();
  const end = (incident: string): void => {
    incidents.push(incident);
    controller.abort();
  };
  stop.addEventListener(
    "abort",
    () => end("it was interrupted; what is shown is what was measured until then."),
    {
      once: true,
    },
  );
  return { incidents, end, signal: controller.signal };
}

/**
 * The measured run, from its beginning to its last answer.
 * @param load sends the requests
 */
async function measure(parts: RunParts, load: Load): Promise<RunOutcome> {
  const { tiers, clock, attack, config, process, listeners, stop } = parts;
  const { incidents, end, signal } = createIncidents(stop);
  const descriptions = await beginRun(parts, config.seed);
  const begun = await Promise.all(tiers.map((tier) => tier.stats()));
  process.begin();
  const ownBegun = process.read();
  const begunAt = clock.now();
  let [startMs, due] = [begunAt, 0];
  let watch: Watch | undefined;
  listeners.onBegin();
  await load({
    config,
    attack,
    stop: signal,
    onStart(at) {
      startMs = at;
      watch = startWatch({
        tiers,
        clock,
        startMs,
        due: () => due,
        onSample(sample, stats) {
          listeners.onSample(sample);
          const backendCalls = stats.at(-1)?.arrivals ?? 0;
          listeners.onProgress({ elapsedS: (clock.now() - startMs) / 1000, due, backendCalls });
        },
        onDeath: (what) => end(`a tier stopped answering, and the run was stopped there: ${what}.`),
      });
    },
    onDue: () => {
      due += 1;
    },
    onRecord: listeners.onRecord,
  });
  const loadedS = signal.aborted
    ? Math.min(config.durationS, (clock.now() - startMs) / 1000)
    : config.durationS;
  const underWay = await settle({ ...parts, stop: signal }, config.drainS * 1000).catch((error: unknown) => {
    if (!signal.aborted)
      end(`a tier stopped answering before the last requests had ended: ${messageOf(error)}.`);
    return attack.inFlight();
  });
  await watch?.stop();
  const own = process.read();
  return {
    due,
    loadedS,
    elapsedS: (clock.now() - begunAt) / 1000,
    clientCpuShare: (own.cpuMs - ownBegun.cpuMs) / (own.uptimeMs - ownBegun.uptimeMs),
    tiers: tierFacts(descriptions, begun, await finalStats(parts, watch, begun)),
    underWay,
    incidents,
  };
}

/**
 * Runs all of it.
 * @returns undefined when the user stopped it before the measured run began
 * @throws TierError when a tier is not ready or does not begin the run
 */
export async function runLifecycle(parts: RunParts, load: Load): Promise<RunOutcome | undefined> {
  await awaitReady(parts);
  await warmUp(parts, parts.config);
  return parts.stop.aborted ? undefined : measure(parts, load);
}
