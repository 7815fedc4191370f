/** A stage of made-up tiers on a clock that nobody waits for. */
import type { Attack } from "../send/attack.ts";
import type { Stage } from "../run/prepare.ts";
import type { Tier } from "../run/tiers.ts";
import { hurriedClock } from "./clock.ts";
import { backend } from "./facts.ts";

/** A tier at rest, as far as `more` does not say otherwise. */
export const tierAs = (name: string, more: Partial<Tier> = {}): Tier => ({
  name,
  url: `http://${name}`,
  readiness: async () => undefined,
  stats: async () => backend({}).last,
  beginRun: async () => ({ ...backend({}).description, service: name }),
  changeFaults: async () => {},
  changePolicy: async () => {},
  ...more,
});

export interface Scene extends Stage {
  readonly time: { ms: number };
  readonly sent: { readonly id: string; readonly intendedMs: number }[];
}

export function sceneOf(tiers: readonly Tier[], stop = new AbortController().signal): Scene {
  const time = { ms: 0 };
  const sent: Scene["sent"] = [];
  const attack: Attack = {
    send: ({ id, intendedMs }) => sent.push({ id, intendedMs }),
    inFlight: () => 0,
    outOfFiles: () => 0,
    close: async () => {},
  };
  return { tiers, clock: hurriedClock(time), attack, stop, time, sent };
}
