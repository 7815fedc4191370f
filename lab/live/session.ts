/** The state behind a live page: counters once a second, and what the controls ask for. */
import { changeAll, type Tier } from "../../loadgen/run/tiers.ts";
import { faultsBy, LIVE_FAULTS } from "../../services/contract/faults.ts";
import { chainBound } from "../../services/policy/amplification-bound.ts";
import { retryPolicyOf } from "../../services/hop/config.ts";
import { readValues, tiersOf, type Values } from "../../services/settings/values.ts";
import { exactPercent, rate, seconds } from "../../loadgen/core/format.ts";
import type { LiveFaults, LiveState } from "./model.ts";
import type { Change } from "./request.ts";
import { LiveWindow } from "./window.ts";
import { readingOf } from "../../loadgen/run/watch.ts";

/** Long enough for a queue that outlives it under the naive policy, short enough for a demonstration. */
export const TRIGGER_S = 5;

/** A fifth of the capacity, and half of the answers fail. */
function illness(faults: LiveFaults): LiveFaults {
  const { capacity, errorRate } = faults;
  return { ...faults, capacity: Math.max(1, capacity / 5), errorRate: Math.max(0.5, errorRate) };
}
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

function boundOf(values: Values, env: Readonly<Record<string, string>>): number | null {
  const hops = tiersOf(env).map((name) => retryPolicyOf(values, name));
  const bound = chainBound(hops, values.number("RATE") * LONG_RUN_S, LONG_RUN_S);
  return Number.isFinite(bound) ? bound : null;
}

/** What is known and what holds now. It reads and changes the chain when it is told to. */
export class LiveSession {
  private readonly parts: SessionParts;
  /** From the client's side down; the last is the backend. */
  private readonly tiers: readonly Tier[];
  private readonly window = new LiveWindow();
  private startedMs = performance.now();
  private policy: string;
  private settings: Readonly<Record<string, string>>;
  private bound: number | null;
  /** What holds but for a trigger. */
  private faults: LiveFaults;
  readonly illness: LiveFaults;
  private trigger: NodeJS.Timeout | undefined;
  private reading = false;
  private dueRequests = 0;

  constructor(parts: SessionParts, tiers: readonly Tier[], values: Values) {
    this.parts = parts;
    this.tiers = tiers;
    this.policy = parts.env["POLICY"] ?? "naive";
    this.settings = parts.env;
    this.bound = boundOf(values, parts.env);
    this.faults = faultsBy(LIVE_FAULTS, ({ knob }) => values.number(knob));
    this.illness = illness(this.faults);
  }

  /** The load begins now, with all counters at zero. */
  begin(): void {
    this.startedMs = performance.now();
  }

  /** A client request has become due. */
  due(): void {
    this.dueRequests += 1;
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
  async tick(): Promise<boolean> {
    if (this.reading) return false;
    this.reading = true;
    try {
      const [atMs, dueNow] = [this.elapsedMs(), this.dueRequests];
      const stats = await Promise.all(this.tiers.map((tier) => tier.stats()));
      this.window.tick(readingOf(atMs, dueNow, stats));
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

  /** Carries out a change, and notes it at the moment at which it was sent: its effect may be there before the answer. */
  private async noting(text: string, change: () => Promise<unknown>): Promise<void> {
    const atS = this.elapsedMs() / 1000;
    await change();
    this.window.note(atS, text);
    this.parts.say(text);
  }

  private async usePolicy(policy: string): Promise<void> {
    const settings = this.parts.settingsFor(policy);
    await this.noting(`policy ${policy}`, () => changeAll(this.tiers, settings, this.settings));
    this.settings = settings;
    this.policy = policy;
    this.bound = boundOf(readValues(settings), settings);
  }

  private async setFaults(faults: LiveFaults): Promise<void> {
    await this.tiers.at(-1)?.changeFaults(faults);
  }

  private async useFaults(faults: LiveFaults): Promise<void> {
    clearTimeout(this.trigger);
    this.trigger = undefined;
    const text = `the backend takes ${rate(faults.capacity)}, ${exactPercent(faults.errorRate)} fail`;
    await this.noting(text, () => this.setFaults(faults));
    this.faults = faults;
  }

  private async pull(): Promise<void> {
    if (this.trigger !== undefined) return;
    this.trigger = setTimeout(() => void this.release(), TRIGGER_S * 1000);
    await this.noting(`trigger for ${seconds(TRIGGER_S)}`, () => this.setFaults(this.illness));
  }

  private async release(): Promise<void> {
    try {
      await this.noting("trigger over", () => this.setFaults(this.faults));
    } catch (error) {
      this.parts.say(`The trigger could not be taken back: ${String(error)}`);
    } finally {
      this.trigger = undefined;
    }
  }
}
