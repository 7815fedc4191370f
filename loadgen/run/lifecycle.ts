/**
 * The life of a run (docs/contracts.md): ready, warm-up, begin, load, drain, counters.
 *
 * It may end early, when the user stops it or a tier stops answering. What is known by then is still handed back, with
 * the incident in words.
 */
import type { ProcessFigures, ProcessStats } from "../../services/telemetry/process-stats.ts";
import type { OnRecord } from "../send/attack.ts";
import type { LoadConfig } from "../core/config.ts";
import type { Progress } from "../output/progress.ts";
import type { Load } from "../send/load.ts";
import { awaitReady, beginRun, settle, warmUp, type Stage } from "./prepare.ts";
import type { RunFacts, ServiceStats, TierFacts } from "../core/run-facts.ts";
import type { Sample } from "../core/series.ts";
import { startWatch, type Watch } from "./watch.ts";
import { messageOf } from "../../services/settings/known-error.ts";

/** What the world gets to see of a run while it goes on. */
export interface Listeners {
  /** The measured run begins now. */
  readonly onBegin: () => void;
  readonly onRecord: OnRecord;
  readonly onSample: (sample: Sample) => void;
  /** Once a second. */
  readonly onProgress: (progress: Progress) => void;
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
  "loadedS" | "elapsedS" | "clientCpuShare" | "clientLagMs" | "tiers" | "underWay" | "incidents"
> & {
  readonly due: number;
};

type Answers = readonly (ServiceStats | undefined)[];

/** The counters of all tiers now; undefined where one does not answer. */
function statsNow({ tiers }: Stage): Promise<Answers> {
  return Promise.all(tiers.map((tier) => tier.stats().catch(() => undefined)));
}

interface TierStats {
  readonly begun: readonly ServiceStats[];
  readonly loaded: Answers;
  readonly last: Answers;
}

function tierFacts(descriptions: readonly TierFacts["description"][], { begun, loaded, last }: TierStats): TierFacts[] {
  return descriptions.flatMap((description, i) => {
    const stats = last[i] ?? begun[i];
    return stats === undefined ? [] : [{ description, begun: begun[i], loaded: loaded[i], last: stats }];
  });
}

/** The share of one core that the load program used between two readings of its figures, and how late its loop was. */
function usage(from: ProcessFigures, to: ProcessFigures): Pick<RunFacts, "clientCpuShare" | "clientLagMs"> {
  const clientCpuShare = to.uptimeMs > from.uptimeMs ? (to.cpuMs - from.cpuMs) / (to.uptimeMs - from.uptimeMs) : null;
  return { clientCpuShare, clientLagMs: to.loopLagP99Ms };
}

interface Incidents {
  readonly list: readonly string[];
  /** Ends the run early, and says why. */
  readonly end: (incident: string) => void;
  /** Aborted when the run ends early. */
  readonly signal: AbortSignal;
}

function createIncidents(stop: AbortSignal): Incidents {
  const list: string[] = [];
  const controller = new AbortController();
  const end = (incident: string): void => {
    list.push(incident);
    controller.abort();
  };
  const interrupted = (): void => end("it was interrupted; what is shown is what was measured until then.");
  stop.addEventListener("abort", interrupted, { once: true });
  return { list, end, signal: controller.signal };
}

/** Sends the load and looks at the tiers meanwhile. Resolves when the load is over, or was ended early. */
async function sendLoad(parts: RunParts, load: Load, { end, signal }: Incidents) {
  const { tiers, clock, attack, config, process, listeners } = parts;
  let [startMs, due, own] = [clock.now(), 0, process.read()];
  let watch: Watch | undefined;
  await load({
    config,
    clock,
    attack,
    stop: signal,
    onRecord: listeners.onRecord,
    onDue: () => {
      due += 1;
    },
    onStart(at) {
      startMs = at;
      own = process.read();
      watch = startWatch({
        tiers,
        clock,
        startMs,
        loadEndsMs: config.durationS * 1000,
        due: () => due,
        onSample(sample, stats) {
          listeners.onSample(sample);
          const backendCalls = stats.at(-1)?.arrivals ?? 0;
          listeners.onProgress({ elapsedS: (clock.now() - startMs) / 1000, due, backendCalls });
        },
        onDeath: (what) => end(`a tier stopped answering, and the run was stopped there: ${what}.`),
      });
    },
  });
  const elapsedS = (clock.now() - startMs) / 1000;
  return {
    due,
    watch,
    loadedS: signal.aborted ? Math.min(config.durationS, elapsedS) : config.durationS,
    ...usage(own, process.read()),
  };
}

/**
 * Waits for the last answers. Returns what is still under way at the end. Not at the backend: a storm leaves it a queue
 * of calls that nobody waits for, which may take minutes and can change none of the counts above it.
 */
async function drain(parts: RunParts, { end, signal }: Incidents): Promise<number> {
  try {
    return await settle({ ...parts, tiers: parts.tiers.slice(0, -1), stop: signal }, parts.config.drainS * 1000);
  } catch (error) {
    const why = messageOf(error);
    if (!signal.aborted) end(`a tier stopped answering before the last requests had ended: ${why}.`);
    return parts.attack.inFlight();
  }
}

/** First of all that went wrong, since it explains the rest. */
const outOfFiles = (requests: number): string[] =>
  requests === 0
    ? []
    : [
        `the load program ran out of open files: ${requests} requests found none for their connection. "ulimit -Hn" shows how many it may have: raise that, or lower RATE or CLIENT_CONNECTIONS.`,
      ];

/**
 * The measured run, from its beginning to its last answer.
 * @param load sends the requests
 */
async function measure(parts: RunParts, load: Load): Promise<RunOutcome> {
  const { tiers, clock, attack, config, process, listeners, stop } = parts;
  const incidents = createIncidents(stop);
  const descriptions = await beginRun(parts, config.seed);
  const begun = await Promise.all(tiers.map((tier) => tier.stats()));
  process.begin();
  const begunAt = clock.now();
  listeners.onBegin();
  const { watch, ...sent } = await sendLoad(parts, load, incidents);
  const [loaded, underWay] = await Promise.all([statsNow(parts), drain(parts, incidents)]);
  await watch?.stop();
  const finals = await statsNow(parts);
  const last = finals.map((stats, i) => stats ?? watch?.last()[i]);
  return {
    ...sent,
    elapsedS: (clock.now() - begunAt) / 1000,
    tiers: tierFacts(descriptions, { begun, loaded, last }),
    underWay,
    incidents: [...outOfFiles(attack.outOfFiles()), ...incidents.list],
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
