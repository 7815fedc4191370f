/** What happens before the measured run: the tiers are up, warm, idle, and then told that a run begins. */
import { randomUUID } from "node:crypto";
import type { Clock } from "../../services/policy/clock.ts";
import type { Attack } from "../send/attack.ts";
import type { LoadConfig } from "../core/config.ts";
import { startPacer } from "../send/pacer.ts";
import { pause } from "../send/pause.ts";
import type { RunDescription } from "../core/run-facts.ts";
import { TierError, type Tier } from "./tiers.ts";

/** A tier that is not ready by then will not be. In milliseconds. */
const READY_WITHIN_MS = 30_000;
/** A tier that nobody calls is idle by then. In milliseconds. */
const IDLE_WITHIN_MS = 5000;
const LOOK_EVERY_MS = 100;
/** Requests sent at once as the warm-up begins, so that connections exist before they are needed. */
const MOST_AT_ONCE = 32;
/** Far above any load of this lab: the warm-up must not meet the throttle. */
const HEALTHY = { capacity: 100_000, errorRate: 0 };

export interface Stage {
  readonly tiers: readonly Tier[];
  readonly clock: Clock;
  readonly attack: Attack;
  readonly stop: AbortSignal;
}

/** Waits until every tier is ready. @throws TierError naming those that are not, after 30 s */
export async function awaitReady({ tiers, clock, stop }: Pick<Stage, "tiers" | "clock" | "stop">): Promise<void> {
  const until = clock.now() + READY_WITHIN_MS;
  for (;;) {
    const reasons = await Promise.all(tiers.map((tier) => tier.readiness()));
    const missing = reasons.flatMap((reason, i) => {
      const tier = tiers[i];
      return reason === undefined || tier === undefined ? [] : [`${tier.name} (${tier.url}/healthz): ${reason}`];
    });
    if (missing.length === 0 || stop.aborted) return;
    if (clock.now() >= until) {
      const list = missing.join("; ");
      throw new TierError(`not ready after ${READY_WITHIN_MS / 1000} s: ${list}. Start it, or correct CHAIN.`);
    }
    await pause(clock, LOOK_EVERY_MS, stop);
  }
}

/**
 * Requests under way at the client and at every tier. Asked from the client's side down: once a tier is still, none
 * below it can get a new request.
 */
async function underWayNow({ tiers, attack }: Stage): Promise<number> {
  let most = attack.inFlight();
  for (const tier of tiers) most = Math.max(most, (await tier.stats()).inFlight);
  return most;
}

/**
 * Waits until nothing is under way any more. It looks twice: a call that its caller gave up may reach the tier below
 * after that caller was asked.
 * @returns what still is after `withinMs`; 0 when all is still
 */
export async function settle(stage: Stage, withinMs: number): Promise<number> {
  const { clock, stop } = stage;
  const until = clock.now() + withinMs;
  for (let still = 0; ;) {
    const underWay = await underWayNow(stage);
    still = underWay === 0 ? still + 1 : 0;
    if (still === 2 || stop.aborted || clock.now() >= until) return underWay;
    await pause(clock, LOOK_EVERY_MS, stop);
  }
}

/**
 * Load of the run's rate on a healthy backend, through all tiers; nothing of it is recorded.
 * @param pace hands out the warm-up's schedule
 * @throws TierError when the warm-up does not end
 */
export async function warmUp(stage: Stage, config: LoadConfig, pace = startPacer): Promise<void> {
  const { tiers, attack, stop } = stage;
  if (config.warmupS === 0 || stop.aborted) return;
  await tiers.at(-1)?.changeFaults(HEALTHY);
  const plan = { rate: config.rate, durationS: config.warmupS, seed: config.seed, rateProfile: [] };
  let startMs = 0;
  const send = (n: number, intendedMs: number): void =>
    attack.send({ n, id: `warm-${n}`, method: "GET", intendedMs }, startMs, () => {});
  const atOnce = Math.min(MOST_AT_ONCE, config.clientConnections);
  const pacer = pace({
    config: { ...plan, arrivals: "constant", writeShare: 0, idempotencyKeys: false },
    onStart(at) {
      startMs = at;
      for (let n = 0; n < atOnce; n += 1) send(n, 0);
    },
    onDue: ({ n, intendedMs }) => send(atOnce + n, intendedMs),
  });
  const halt = (): void => pacer.stop();
  if (stop.aborted) halt();
  stop.addEventListener("abort", halt, { once: true });
  await pacer.over;
  const underWay = await settle(stage, config.drainS * 1000);
  if (underWay > 0 && !stop.aborted) {
    throw new TierError(
      `${underWay} warm-up requests were still under way after ${config.drainS} s (DRAIN_S): this machine is too busy for RATE=${config.rate}, or something else calls these tiers.`,
    );
  }
}

/** A call whose caller has gone may still be on its way to a tier on a busy machine: that one is asked again. */
async function beginTier(tier: Tier, { clock, stop }: Stage, seed: number, run: string): Promise<RunDescription> {
  const until = clock.now() + IDLE_WITHIN_MS;
  for (;;) {
    try {
      return await tier.beginRun(seed, run);
    } catch (error) {
      if (!(error instanceof TierError && error.isBusy) || stop.aborted || clock.now() >= until) throw error;
      await pause(clock, LOOK_EVERY_MS, stop);
    }
  }
}

/**
 * Tells every tier that the run begins, deepest first, so that no caller is ahead of its callee.
 * @throws TierError naming the tier that does not begin it
 */
export async function beginRun(stage: Stage, seed: number): Promise<RunDescription[]> {
  const descriptions: RunDescription[] = [];
  // A budget in a store outlives a run, so no two runs may have one name.
  const run = randomUUID();
  for (const tier of stage.tiers.toReversed()) descriptions.unshift(await beginTier(tier, stage, seed, run));
  return descriptions;
}
