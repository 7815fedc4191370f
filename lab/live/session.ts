/** A running live page: load, counters once a second, and the controls. */
import type { ClientRecord } from "../../loadgen/record.ts";
import { createTier, type Tier } from "../../loadgen/tiers.ts";
import { chainBound } from "../../services/policy/bound.ts";
import { retryPolicyOf } from "../../services/platform/retry-config.ts";
import { readValues, tiersOf, type Values } from "../../services/platform/values.ts";
import { pageAssets, type Assets } from "../report/assets.ts";
import { percent, rate, seconds } from "../report/words.ts";
import { clock, prepareLoad, type LiveLoad } from "./load.ts";
import type { LiveFaults, LiveSetup, LiveState } from "./model.ts";
import { livePage } from "./page.ts";
import type { Change } from "./request.ts";
import { serveLive, type LiveServer } from "./server.ts";
import { servicesOf, type Services } from "./services.ts";
import { LiveWindow } from "./window.ts";

/** Long enough for a queue that outlives it under the naive policy, short enough for a demonstration. */
const TRIGGER_S = 5;

/** A fifth of the capacity, and half of the answers fail. */
function illness({ capacity, errorRate }: LiveFaults): LiveFaults {
  return { capacity: Math.max(1, capacity / 5), errorRate: Math.max(0.5, errorRate) };
}
const TICK_MS = 1000;
/** The bound of a policy in the long run: what a budget saved up at the start no longer counts. */
const LONG_RUN_S = 3600;

export interface SessionParts {
  /** From the client's side down. */
  readonly tiers: readonly { readonly name: string; readonly url: string }[];
  readonly policies: readonly string[];
  /** The settings under a policy. @throws ConfigError when that policy's file is wrong */
  readonly settingsFor: (policy: string) => Record<string, string>;
  /** The settings that the chain was started with. */
  readonly env: Readonly<Record<string, string>>;
  /** 0 picks a free one. */
  readonly port: number;
  /** Aborted when the user wants it to end. */
  readonly stop: AbortSignal;
  readonly say: (text: string) => void;
}

export interface Session {
  readonly url: string;
  /** Rejects when the load cannot go on. */
  readonly over: Promise<void>;
  /** Ends load and page; however often it is called. */
  stop(): Promise<void>;
}

function boundOf(values: Values, env: Readonly<Record<string, string>>): number | null {
  const hops = tiersOf(env).map((name) => retryPolicyOf(values, name));
  const bound = chainBound(hops, values.number("RATE") * LONG_RUN_S, LONG_RUN_S);
  return Number.isFinite(bound) ? bound : null;
}

class LiveSession {
  private readonly parts: SessionParts;
  private readonly services: Services;
  private readonly window = new LiveWindow();
  private startedMs = performance.now();
  private policy: string;
  private bound: number | null;
  /** What holds but for a trigger. */
  private faults: LiveFaults;
  readonly illness: LiveFaults;
  private trigger: NodeJS.Timeout | undefined;
  private reading = false;

  constructor(parts: SessionParts, tiers: readonly Tier[], values: Values) {
    this.parts = parts;
    this.services = servicesOf(tiers);
    this.policy = parts.env["POLICY"] ?? "naive";
    this.bound = boundOf(values, parts.env);
    this.faults = { capacity: values.number("CAPACITY"), errorRate: values.number("ERROR_RATE") };
    this.illness = illness(this.faults);
  }

  /** The load begins now, with all counters at zero. */
  begin(): void {
    this.startedMs = performance.now();
  }

  answered(ok: boolean, latencyMs: number): void {
    this.window.answered(ok, latencyMs);
  }

  state(): LiveState {
    const { policy, bound, trigger } = this;
    return {
      nowS: this.elapsedMs() / 1000,
      policy,
      bound,
      faults: trigger === undefined ? this.faults : this.illness,
      rate: Number(this.parts.env["RATE"]),
      triggered: trigger !== undefined,
      ...this.window.view(),
    };
  }

  /** Reads the counters. A second whose reading takes longer than it lasts becomes part of the next. */
  async tick(due: () => number): Promise<boolean> {
    if (this.reading) return false;
    this.reading = true;
    try {
      this.window.tick(await this.services.read(this.elapsedMs(), due()));
      return true;
    } finally {
      this.reading = false;
    }
  }

  async change(change: Change): Promise<void> {
    if (change.kind === "policy") await this.usePolicy(change.policy);
    else if (change.kind === "faults") await this.useFaults(change.faults);
    else await this.pull();
  }

  stop(): void {
    clearTimeout(this.trigger);
  }

  private elapsedMs(): number {
    return performance.now() - this.startedMs;
  }

  private note(text: string): void {
    this.window.note(this.elapsedMs() / 1000, text);
    this.parts.say(text);
  }

  private async usePolicy(policy: string): Promise<void> {
    const settings = this.parts.settingsFor(policy);
    await this.services.setPolicy(settings);
    this.policy = policy;
    this.bound = boundOf(readValues(settings), settings);
    this.note(`policy ${policy}`);
  }

  private async useFaults(faults: LiveFaults): Promise<void> {
    clearTimeout(this.trigger);
    this.trigger = undefined;
    await this.services.setFaults(faults);
    this.faults = faults;
    this.note(`the backend takes ${rate(faults.capacity)}, ${percent(faults.errorRate)} fail`);
  }

  private async pull(): Promise<void> {
    if (this.trigger !== undefined) return;
    this.trigger = setTimeout(() => void this.release(), TRIGGER_S * 1000);
    await this.services.setFaults(this.illness);
    this.note(`trigger for ${seconds(TRIGGER_S)}`);
  }

  private async release(): Promise<void> {
    try {
      await this.services.setFaults(this.faults);
      this.note("trigger over");
    } catch (error) {
      this.parts.say(`The trigger could not be taken back: ${String(error)}`);
    } finally {
      this.trigger = undefined;
    }
  }
}

function startTicking(session: LiveSession, load: LiveLoad, server: LiveServer, say: (text: string) => void) {
  const tick = async (): Promise<void> => {
    try {
      if (await session.tick(() => load.due())) server.send(session.state());
    } catch (error) {
      say(`The counters could not be read: ${error instanceof Error ? error.message : String(error)}`);
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
  const tiers = parts.tiers.map((address) => createTier(address, clock));
  const session = new LiveSession(parts, tiers, values);
  const assets = await pageAssets("live");
  const record = ({ outcome, latencyMs }: ClientRecord): void =>
    session.answered(outcome === "ok", latencyMs);
  const load = await prepareLoad({ tiers, values, record, stop: parts.stop });
  let server: LiveServer;
  try {
    server = await serve(parts, session, assets);
  } catch (error) {
    await load.stop();
    throw error;
  }
  session.begin();
  const over = load.run();
  const ticking = startTicking(session, load, server, parts.say);
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    clearInterval(ticking);
    session.stop();
    await load.stop();
    await server.close();
  };
  return { url: server.url, over, stop: () => (stopped ??= stop()) };
}
