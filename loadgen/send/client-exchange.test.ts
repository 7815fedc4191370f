import assert from "node:assert/strict";
import { test } from "node:test";
import type { Dispatcher } from "undici";
import { Slots } from "../../services/http/slots.ts";
import type { Clock } from "../../services/policy/clock.ts";
import { ClientExchange, type Ending } from "./client-exchange.ts";
import { recordOf } from "./attack.ts";
import type { Arrival } from "../core/schedule.ts";

const ORDER: Arrival = { n: 0, id: "s1-0", method: "GET", intendedMs: 0 };
const TRACE = "0".repeat(32);
/** Nothing of it is used. */
const CONTROLLER = {} as Dispatcher.DispatchController;

/** An HTTP client that takes `connectMs` of the clock to make a connection, and gets a good answer at once on it. */
function slowConnect(connectMs: number) {
  let nowMs = 0;
  const clock: Clock = { now: () => nowMs, after: () => () => {} };
  const dispatch = (_options: unknown, handler: Dispatcher.DispatchHandler): boolean => {
    nowMs += connectMs;
    handler.onRequestStart?.(CONTROLLER, {});
    handler.onResponseStart?.(CONTROLLER, 200, {}, "OK");
    handler.onResponseEnd?.(CONTROLLER, {});
    return true;
  };
  return { clock, dispatcher: { dispatch } as unknown as Dispatcher, pass: (ms: number) => (nowMs += ms) };
}

test("A connection that takes its time is the other side's slowness: latency, and not a late generator", () => {
  const { clock, dispatcher } = slowConnect(70);
  const endings: Ending[] = [];
  const target = { dispatcher, clock, slots: new Slots(1), timeoutMs: Infinity };
  new ClientExchange(target, ORDER, TRACE, 0, (ending) => endings.push(ending));
  const [ending] = endings;
  assert.ok(ending);
  const { lateMs, latencyMs, outcome } = recordOf(ORDER, TRACE, 0, ending);
  assert.deepEqual([ending.sent, outcome, lateMs, latencyMs], [true, "ok", 0, 70]);
});

test("Waiting for one of the generator's own connections is being late", () => {
  const { clock, dispatcher, pass } = slowConnect(70);
  const endings: Ending[] = [];
  const slots = new Slots(1);
  slots.enter(() => {});
  const target = { dispatcher, clock, slots, timeoutMs: Infinity };
  new ClientExchange(target, ORDER, TRACE, 0, (ending) => endings.push(ending));
  pass(30);
  slots.release();
  const [ending] = endings;
  assert.ok(ending);
  const { lateMs, latencyMs } = recordOf(ORDER, TRACE, 0, ending);
  assert.deepEqual([ending.sent, lateMs, latencyMs], [true, 30, 100]);
});

test("A connection for which there is no open file is told as such, and any other fault is not", () => {
  for (const [code, told] of [
    ["EMFILE", 1],
    ["ENFILE", 1],
    ["ECONNREFUSED", 0],
  ] as const) {
    const dispatch = (_options: unknown, handler: Dispatcher.DispatchHandler): boolean => {
      handler.onResponseError?.(CONTROLLER, Object.assign(new Error(code), { code }));
      return true;
    };
    let outOfFiles = 0;
    const { clock } = slowConnect(0);
    const dispatcher = { dispatch } as unknown as Dispatcher;
    const onOutOfFiles = (): void => void (outOfFiles += 1);
    const target = { dispatcher, clock, slots: new Slots(1), timeoutMs: Infinity, onOutOfFiles };
    new ClientExchange(target, ORDER, TRACE, 0, ({ sent, outcome }) =>
      assert.deepEqual([sent, outcome], [false, "failed"]),
    );
    assert.equal(outOfFiles, told, code);
  }
});
