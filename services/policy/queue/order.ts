/**
 * Who is served next: the order of the queue.
 *
 *     fifo      the one who has waited longest. Fair, and under overload the worst: everyone is served just too late
 *     lifo      fifo while the queue moves; once the oldest has waited longer than LIFO_AFTER_MS, the newest first.
 *               Those who have waited long have probably given up; serving the newest keeps some answers in time
 *     priority  first tries before retries, each fifo: a retry must not take the place of somebody's only try
 *
 * Source of adaptive LIFO: B. Maurer, "Fail at Scale", ACM Queue 13(8), 2015.
 */
import { Fifo } from "./fifo.ts";

export const QUEUE_ORDERS = ["fifo", "lifo", "priority"] as const;
export type QueueOrder = (typeof QUEUE_ORDERS)[number];

/** Once the oldest has waited longer than this, `lifo` turns around; milliseconds. */
export const LIFO_AFTER_MS = 100;

/** What the order is made by. */
export interface Queued {
  /** When it joined the queue, in milliseconds. */
  readonly joinedAt: number;
  /** The caller's attempt number, 1 = the first. */
  readonly attempt: number;
}

/** A queue with an order. `peek` says who is next at `now`, and `shift` takes exactly that one. */
export interface Queue<T extends Queued> {
  /** Entries, those included that nobody waits for any more. */
  readonly length: number;
  push(item: T): void;
  peek(now: number): T | undefined;
  shift(now: number): T | undefined;
  /** Drops what does not pass `keep`. */
  retain(keep: (item: T) => boolean): void;
}

function lifoQueue<T extends Queued>(): Queue<T> {
  const items = new Fifo<T>();
  const newestFirst = (now: number): boolean => now - (items.peek()?.joinedAt ?? now) > LIFO_AFTER_MS;
  return {
    get length() {
      return items.length;
    },
    push: (item) => items.push(item),
    peek: (now) => (newestFirst(now) ? items.last() : items.peek()),
    shift: (now) => (newestFirst(now) ? items.pop() : items.shift()),
    retain: (keep) => items.retain(keep),
  };
}

function priorityQueue<T extends Queued>(): Queue<T> {
  const first = new Fifo<T>();
  const again = new Fifo<T>();
  return {
    get length() {
      return first.length + again.length;
    },
    push: (item) => (item.attempt <= 1 ? first : again).push(item),
    peek: () => first.peek() ?? again.peek(),
    shift: () => first.shift() ?? again.shift(),
    retain: (keep) => {
      first.retain(keep);
      again.retain(keep);
    },
  };
}

/** An empty queue of the given order. */
export function createQueue<T extends Queued>(order: QueueOrder): Queue<T> {
  if (order === "lifo") return lifoQueue();
  return order === "priority" ? priorityQueue() : new Fifo<T>();
}
