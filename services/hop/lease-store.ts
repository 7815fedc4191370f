/**
 * The shared bucket in Redis, as one instance asks it: one question at a time. Each has an answer, or none, within a
 * bounded time.
 *
 * A connection that does not answer in time is given up, since a later answer on it would belong to no question. The
 * next question opens another one. So a store that stands still costs one small socket at a time, and no queue.
 */
import { createClient } from "@redis/client";
import type { AskStore, Lease, SharedTerms } from "../policy/budget/fleet.ts";
import type { Clock } from "../policy/clock.ts";
import { reasonOf } from "../settings/known-error.ts";
import { LEASE_SCRIPT } from "./lease-script.ts";
import type { ServiceConfig } from "../http/service-config.ts";

export interface LeaseStoreParts {
  /** For example redis://127.0.0.1:6379 */
  readonly url: string;
  /** Within which a question must be answered, the connecting included; more than 0. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

function connect(url: string) {
  const client = createClient({ url, disableOfflineQueue: true, socket: { reconnectStrategy: false } });
  const ready = client.connect();
  // Whoever asks hears of it, and decides.
  client.on("error", () => {});
  ready.catch(() => {});
  return { client, ready };
}

type Connection = ReturnType<typeof connect>;

function leaseOf(answer: unknown): Lease {
  const [granted, left] = answer as [number, string];
  return { granted, left: Number(left) };
}

export class LeaseStore {
  private readonly parts: LeaseStoreParts;
  // The first question should not have to pay for the connecting.
  private current: Connection | undefined;
  private isClosed = false;
  private lastFault: string | undefined;

  constructor(parts: LeaseStoreParts) {
    this.parts = parts;
    this.current = connect(parts.url);
  }

  /** Asks for the bucket called `key`. */
  asker(key: string, terms: SharedTerms): AskStore {
    return ({ deposit, want, known }, done) => {
      const numbers = [deposit, want, terms.most, terms.perSecond, known ? 0 : terms.start];
      this.ask(key, numbers, done);
    };
  }

  /** Why the last question that had no answer had none; for a person. */
  fault(): string | undefined {
    return this.lastFault;
  }

  close(): void {
    this.isClosed = true;
    this.drop(this.current);
  }

  private ask(key: string, numbers: readonly number[], done: (lease: Lease | undefined) => void): void {
    if (this.isClosed) return done(undefined);
    const connection = (this.current ??= connect(this.parts.url));
    let isOver = false;
    const end = (lease: Lease | undefined, fault?: string): void => {
      if (isOver) return;
      isOver = true;
      cancel();
      if (lease === undefined) {
        this.lastFault = fault;
        this.drop(connection);
      }
      done(lease);
    };
    const { clock, timeoutMs } = this.parts;
    const cancel = clock.after(timeoutMs, () => end(undefined, `nothing within ${timeoutMs} ms`));
    const send = async (): Promise<Lease> => {
      await connection.ready;
      const words = { keys: [key], arguments: numbers.map(String) };
      return leaseOf(await connection.client.eval(LEASE_SCRIPT, words));
    };
    send().then(end, (error: unknown) => end(undefined, reasonOf(error)));
  }

  private drop(connection: Connection | undefined): void {
    if (connection === undefined) return;
    if (this.current === connection) this.current = undefined;
    connection.client.destroy();
  }
}

/** The store that the settings name; undefined where they name none. */
export function leaseStoreOf(config: ServiceConfig, clock: Clock): LeaseStore | undefined {
  const { storeUrl: url, storeTimeoutMs: timeoutMs } = config;
  return url === "" ? undefined : new LeaseStore({ url, timeoutMs, clock });
}
