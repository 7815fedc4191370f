/**
 * The process world: the four programs of the chain as local processes, nothing else needed than Node.
 *
 * However a run ends, every process that it started has ended before it returns: by SIGTERM, then by SIGKILL, always by
 * the process's own number.
 */
import { chainText, createProcessChain, type ProcessChain, type ChainStarter } from "./chain.ts";
import { describeEnd, startProgram, type Ended, type Program } from "./program.ts";
import { sayingWarnings } from "./warnings.ts";
import type { RunInWorld, WorldRun } from "../world.ts";
import { messageOf } from "../../../services/settings/known-error.ts";

/** A load program whose chain broke sees it by itself and says more about it; after this it is asked to stop. */
const NOTICE_WITHIN_MS = 5000;

function after(ms: number): Promise<"late"> {
  return new Promise((resolve) => setTimeout(resolve, ms, "late" as const).unref());
}

function startLoad({ env, ambient, loadArguments, quiet }: WorldRun, chain: ProcessChain): Program {
  return startProgram({
    name: "load",
    main: "lab/worlds/load/main",
    args: loadArguments,
    env: { ...ambient, ...env, CHAIN: chainText(chain.tiers) },
    quiet,
  });
}

/** A load that was killed could not say anything itself. */
const killedText = (signal: string, { env }: WorldRun): string =>
  `The load was ended by ${signal}, from outside or for lack of memory: this run has no summary. Its records until then are in the newest folder in ${env["REPORTS_DIR"]}.`;

async function whenStopped(signal: AbortSignal, over: AbortSignal): Promise<"stopped"> {
  if (signal.aborted) return "stopped";
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve("stopped"), { once: true, signal: over }),
  );
}

/** Waits for the load to end, with an eye on the services and on the user. Resolves with the exit code of the run. */
async function watch(run: WorldRun, chain: ProcessChain, load: Program, stopped: Promise<"stopped">): Promise<number> {
  const first = await Promise.race([
    load.ended.then(({ code }) => ({ code: code ?? 1 })),
    chain.death.then((ended) => ({ ended })),
    stopped,
  ]);
  if (first === "stopped") {
    await load.stop();
    return 1;
  }
  if ("ended" in first) {
    run.say(`\n${describeEnd(first.ended)}`);
    const noticed = await Promise.race([load.ended, after(NOTICE_WITHIN_MS), stopped]);
    if (typeof noticed === "string") await load.stop();
    return 1;
  }
  return first.code;
}

async function started(chain: ChainStarter, stopped: Promise<"stopped">): Promise<ProcessChain | "stopped"> {
  const starting = chain.start();
  // When it is stopped first, the rest of the start fails, as it should.
  starting.catch(() => {});
  return Promise.race([starting, stopped]);
}

/**
 * What the services print: shown where the user asked for more than warnings, kept for their last words always.
 * Warnings are said in any case; an experiment says in its result what they mean.
 */
function echoOf({ env, quiet, say }: WorldRun): ((text: string) => void) | undefined {
  const wanted = env["LOG_LEVEL"] === "info" || env["LOG_LEVEL"] === "debug" || env["LOG_LEVEL"] === "trace";
  if (wanted) return (text) => process.stderr.write(text);
  return quiet === true ? undefined : sayingWarnings(say);
}

/**
 * Starts the chain, lets `use` work with it, and ends it, whatever happens. `over` is aborted once all has ended: an
 * experiment makes many runs under one `stop`, and none of them may leave anything there.
 */
async function withChain(
  run: WorldRun,
  use: (chain: ProcessChain, stopped: Promise<"stopped">, over: AbortSignal) => Promise<number>,
): Promise<number> {
  const starter = createProcessChain({ env: run.env, ambient: run.ambient, echo: echoOf(run) });
  const over = new AbortController();
  const stopped = whenStopped(run.stop, over.signal);
  run.onKill(() => starter.killNow(), over.signal);
  try {
    const chain = await started(starter, stopped);
    return chain === "stopped" ? 1 : await use(chain, stopped, over.signal);
  } catch (error) {
    run.say(`The chain did not start: ${messageOf(error)}`);
    return 1;
  } finally {
    await starter.stop();
    over.abort();
  }
}

export const runInProcesses: RunInWorld = (run) =>
  withChain(run, async (chain, stopped, over) => {
    run.onChain?.(chain);
    const load = startLoad(run, chain);
    run.onKill(() => load.killNow(), over);
    void load.ended.then(({ signal }) => signal === undefined || run.say(killedText(signal, run)));
    return watch(run, chain, load, stopped);
  });

/** A chain that stays until the user stops it; `ready` gets its tiers. Resolves with the exit code. */
export function keepUp(run: WorldRun, ready: (chain: ProcessChain) => void): Promise<number> {
  return withChain(run, async (chain, stopped) => {
    ready(chain);
    const first: Ended | "stopped" = await Promise.race([chain.death, stopped]);
    if (first === "stopped") return 0;
    run.say(describeEnd(first));
    return 1;
  });
}
