/**
 * What a world is to the lab: something that makes one run with given settings and says how it went.
 *
 *     process   process/world.ts: local processes over loopback
 *     virtual   virtual/world.ts: virtual time
 *     compose   compose/compose.sh: containers. It is a shell script, because a host with Docker needs no Node.
 *
 * All worlds take the same effective settings and write the same report folder, so nothing behind them can tell them
 * apart, except by `summary.world`.
 */
import type { ProcessChain } from "./process/chain.ts";

export interface WorldRun {
  /** Every knob with its value (services/settings/resolve.ts). */
  readonly env: Readonly<Record<string, string>>;
  /** What a program needs from its surroundings besides, such as PATH and NO_COLOR. */
  readonly ambient: Readonly<Record<string, string>>;
  /** Words for the load program, such as --json. */
  readonly loadArguments: readonly string[];
  /** True for one run of many: its result is read from its report folder, and not printed. */
  readonly quiet?: boolean;
  /** Aborted when the user wants the run to end: it ends in good order, and what was measured so far is kept. */
  readonly stop: AbortSignal;
  /** Takes what must happen when the user does not want to wait for that, until `over` is aborted. Synchronous. */
  readonly onKill: (kill: () => void, over: AbortSignal) => void;
  /** Gets the chain once it has started; the process world's alone. */
  readonly onChain?: ((chain: ProcessChain) => void) | undefined;
  /** A message for a person. */
  readonly say: (text: string) => void;
}

/** Resolves with the exit code: 0 valid, 1 failed, invalid or stopped, 2 bad input. Never leaves a process behind. */
export type RunInWorld = (run: WorldRun) => Promise<number>;
