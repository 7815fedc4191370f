import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { EventHeap } from "./event-heap.ts";

const nothing = (): void => {};

function takeAll(heap: EventHeap): void {
  while (heap.nextTime() !== Infinity) heap.take()?.();
}

test("events come out in the order of their times, and those of one time in the order of their adding", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 2000 }), (times) => {
      const heap = new EventHeap();
      const seen: number[] = [];
      times.forEach((time, i) => heap.add(time, () => seen.push(i)));
      takeAll(heap);
      const expected = times.map((_, i) => i).sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b);
      assert.deepEqual(seen, expected);
    }),
    { numRuns: 50 },
  );
});

test("a cancelled event never runs, and the others keep their order", () => {
  const entries = fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.boolean()), { maxLength: 3000 });
  fc.assert(
    fc.property(entries, (plan) => {
      const heap = new EventHeap();
      const seen: number[] = [];
      const events = plan.map(([time], i) => heap.add(time, () => seen.push(i)));
      events.forEach((event, i) => plan[i]?.[1] === true && heap.cancel(event));
      const kept = plan.map((_, i) => i).filter((i) => plan[i]?.[1] === false);
      assert.equal(heap.pending, kept.length);
      takeAll(heap);
      assert.deepEqual(
        seen,
        kept.sort((a, b) => (plan[a]?.[0] ?? 0) - (plan[b]?.[0] ?? 0) || a - b),
      );
      assert.equal(heap.pending, 0);
    }),
    { numRuns: 50 },
  );
});

test("cancelling twice, or after the event ran, changes nothing", () => {
  const heap = new EventHeap();
  const first = heap.add(1, nothing);
  const second = heap.add(2, nothing);
  heap.cancel(first);
  heap.cancel(first);
  assert.equal(heap.pending, 1);
  assert.equal(heap.nextTime(), 2);
  heap.take();
  heap.cancel(second);
  assert.equal(heap.pending, 0);
});

test("cancelled events are thrown out rather than kept until their time", () => {
  const heap = new EventHeap();
  for (let i = 0; i < 100_000; i += 1) heap.cancel(heap.add(1_000_000, nothing));
  assert.ok(heap.kept <= 1024, `${heap.kept} events are kept, of which none is pending`);
});
