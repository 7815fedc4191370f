/** Starts a live page: the chain is warmed up, then load, counters and page go on until they are stopped. */
import type { ClientRecord } from "../../loadgen/core/record.ts";
import { tiersOfChain } from "../../loadgen/run/instances.ts";
import { readValues } from "../../services/settings/values.ts";
import { pageAssets, type Assets } from "../report/pages/assets.ts";
import { sharedClock } from "../../services/real-time/clock.ts";
import { createEndlessLoad } from "../../loadgen/run/endless.ts";
import type { LiveSetup } from "./model.ts";
import { livePage } from "./page.ts";
import { serveLive, type LiveServer } from "./server.ts";
import { LiveSession, TRIGGER_S, type SessionParts } from "./session.ts";
import { messageOf } from "../../services/settings/known-error.ts";

const TICK_MS = 1000;

export interface Session {
  readonly url: string;
  /** Rejects when the load cannot go on. */
  readonly over: Promise<void>;
  /** Ends load and page; however often it is called. */
  stop(): Promise<void>;
}

function startTicking(session: LiveSession, server: LiveServer, say: (text: string) => void) {
  const tick = async (): Promise<void> => {
    try {
      if (await session.tick()) server.send(session.state());
    } catch (error) {
      say(`The counters could not be read: ${messageOf(error)}`);
    }
  };
  return setInterval(() => void tick(), TICK_MS);
}

function serve(parts: SessionParts, session: LiveSession, assets: Assets): Promise<LiveServer> {
  const { policies, port } = parts;
  const trigger = { seconds: TRIGGER_S, faults: session.illness };
  const page = (): string => {
    const setup: LiveSetup = { policies, trigger, initial: session.state() };
    return livePage(setup, assets);
  };
  return serveLive({ page, policies, change: (change) => session.change(change) }, port);
}

/** Warms the chain up, then starts load and page. Rejects, with nothing left running, when one of them cannot be. */
export async function startSession(parts: SessionParts): Promise<Session> {
  const values = readValues(parts.env);
  const tiers = tiersOfChain(parts.tiers, sharedClock);
  const session = new LiveSession(parts, tiers, values);
  const assets = await pageAssets("live");
  const onRecord = ({ outcome, latencyMs }: ClientRecord): void => session.answered(outcome === "ok", latencyMs);
  const load = createEndlessLoad({ tiers, values, onDue: () => session.due(), onRecord });
  const halt = (): void => void load.stop();
  parts.stop.addEventListener("abort", halt, { once: true });
  if (parts.stop.aborted) halt();
  let server: LiveServer;
  try {
    await load.warmUp();
    server = await serve(parts, session, assets);
  } catch (error) {
    await load.stop();
    throw error;
  }
  session.begin();
  const over = load.run();
  const ticking = startTicking(session, server, parts.say);
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    clearInterval(ticking);
    session.stop();
    await load.stop();
    await server.close();
  };
  return { url: server.url, over, stop: () => (stopped ??= stop()) };
}
