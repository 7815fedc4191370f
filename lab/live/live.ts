/** `bin/lab live`: the chain as local processes under continuous load, and a page that shows it and holds the controls. */
import { keepUp } from "../worlds/process/world.ts";
import type { WorldRun } from "../worlds/world.ts";
import type { SessionParts } from "./session.ts";
import { startSession, type Session } from "./start.ts";
import { messageOf } from "../../services/settings/known-error.ts";

export interface LiveRequest extends Pick<SessionParts, "policies" | "settingsFor" | "port"> {
  readonly run: WorldRun;
  /** Gets the page's address, once it can be opened. */
  readonly ready: (url: string) => void;
}

/** A backend that is well at first: the presenter decides when it falls ill. An override of the user's own wins. */
export const LIVE_SETTINGS: Readonly<Record<string, string>> = { CAPACITY: "300", ERROR_RATE: "0" };

/** Resolves with the exit code: 0 when the user ended it, 1 when something broke. Leaves nothing running. */
export async function live({ run, ready, ...rest }: LiveRequest): Promise<number> {
  const broken = new AbortController();
  const giveUp = (error: unknown): void => {
    if (broken.signal.aborted || run.stop.aborted) return;
    run.say(messageOf(error));
    broken.abort();
  };
  let session: Promise<Session> | undefined;
  const stop = AbortSignal.any([run.stop, broken.signal]);
  const code = await keepUp({ ...run, stop }, ({ tiers }) => {
    session = startSession({ tiers, env: run.env, say: run.say, stop, ...rest });
    // The load ends before the chain: what it would still send could only fail.
    stop.addEventListener("abort", () => void session?.then((one) => one.stop()).catch(giveUp), {
      once: true,
    });
    session.then((one) => {
      ready(one.url);
      one.over.catch(giveUp);
    }, giveUp);
  });
  await session?.then(
    (one) => one.stop(),
    () => {},
  );
  return broken.signal.aborted ? 1 : code;
}
