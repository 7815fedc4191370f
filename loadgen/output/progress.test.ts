import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { createProgress } from "./progress.ts";

/** Keeps what is written to it; a terminal where `isTTY`. */
function screen(isTTY: boolean): { readonly stream: Writable & { isTTY: boolean }; text(): string } {
  let text = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY }), text: () => text };
}

const at = (elapsedS: number) => ({ elapsedS, due: 60 * elapsedS, backendCalls: 90 * elapsedS });

test("Where nobody looks there is a plain line every five seconds, and nothing that only a terminal understands", () => {
  const { stream, text } = screen(false);
  const view = createProgress(12, stream);
  for (let second = 1; second <= 12; second += 1) view.show(at(second + 0.02), 0.456);
  view.stop();
  assert.equal(
    text(),
    "5 of 12 s: succeeded 45.6 %, amplification 1.50x\n10 of 12 s: succeeded 45.6 %, amplification 1.50x\n",
  );
});

test("After a stall there is one line, not those that it swallowed", () => {
  const { stream, text } = screen(false);
  const view = createProgress(60, stream);
  for (const second of [4, 23, 24, 25]) view.show(at(second), 1);
  assert.deepEqual(text().match(/^\d+ of/gm), ["23 of", "25 of"]);
});

test("No more seconds than there are: while the last answers are awaited, the run is said to be over", () => {
  const { stream, text } = screen(false);
  const view = createProgress(8, stream);
  for (const second of [5, 8, 9, 10]) view.show(at(second), 1);
  assert.deepEqual(text().match(/^.*:/gm), ["5 of 8 s:", "8 s over:"]);
});

test("Before anything was due or has ended there is nothing to divide by", () => {
  const { stream, text } = screen(false);
  createProgress(20, stream).show({ elapsedS: 5, due: 0, backendCalls: 0 }, undefined);
  assert.equal(text(), "5 of 20 s: succeeded –, amplification –\n");
});

test("On a terminal there is a bar that is drawn over itself, with the same words, and gone at the end", () => {
  const { stream, text } = screen(true);
  const view = createProgress(20, stream);
  view.show(at(20), 0.5);
  view.stop();
  assert.ok(text().includes("\u001b["));
  assert.match(text(), /20\/20 s {2}succeeded 50\.0 %, amplification 1\.50x/);
  assert.doesNotMatch(text(), / of 20 s:/);
});
