import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Fifo } from "./fifo.ts";

test("what goes in first comes out first, and the length agrees", () => {
  const steps = fc.array(fc.boolean(), { maxLength: 6000 });
  fc.assert(
    fc.property(steps, (pushes) => {
      const fifo = new Fifo<number>();
      const plain: number[] = [];
      pushes.forEach((push, i) => {
        if (push) {
          fifo.push(i);
          plain.push(i);
        } else {
          assert.equal(fifo.peek(), plain[0]);
          assert.equal(fifo.shift(), plain.shift());
        }
        assert.equal(fifo.length, plain.length);
      });
    }),
    { numRuns: 30 },
  );
});

test("it keeps its order when it is cut down behind a long queue", () => {
  const fifo = new Fifo<number>();
  for (let i = 0; i < 10_000; i += 1) fifo.push(i);
  for (let i = 0; i < 10_000; i += 1) assert.equal(fifo.shift(), i);
  assert.equal(fifo.shift(), undefined);
  assert.equal(fifo.peek(), undefined);
  assert.equal(fifo.length, 0);
});

test("what is not retained is gone, and the rest keeps its order", () => {
  const fifo = new Fifo<number>();
  for (let i = 0; i < 10; i += 1) fifo.push(i);
  fifo.shift();
  fifo.retain((item) => item % 2 === 0);
  assert.deepEqual([fifo.length, fifo.shift(), fifo.shift()], [4, 2, 4]);
});
