import assert from "node:assert/strict";
import { PassThrough, Writable } from "node:stream";
import { test } from "node:test";
import { createLines } from "./lines.ts";

test("Values become lines of JSON, in order", async () => {
  const stream = new PassThrough();
  const lines = createLines(stream);
  for (const n of [1, 2]) lines.add({ n });
  stream.resume();
  const text = stream.setEncoding("utf8").toArray();
  await lines.close();
  assert.equal((await text).join(""), '{"n":1}\n{"n":2}\n');
});

test("A stream that never takes anything holds a bounded amount, and closing says why the rest is missing", async () => {
  const stuck = new Writable({ write: () => {} });
  const lines = createLines(stuck, 1000);
  for (let n = 0; n < 10_000; n += 1) lines.add({ n });
  assert.ok(stuck.writableLength <= 1000 && stuck.writableLength > 900, String(stuck.writableLength));
  await assert.rejects(lines.close(), /too slow: (9\d\d|1000) bytes were waiting to be written/);
});

test("A stream that breaks is written to no more, and closing rejects with its first fault", async () => {
  let taken = 0;
  const full = new Writable({
    write(_chunk, _encoding, done) {
      taken += 1;
      done(taken === 2 ? Object.assign(new Error("no space left"), { code: "ENOSPC" }) : null);
    },
  });
  const lines = createLines(full);
  for (let n = 0; n < 5; n += 1) {
    lines.add({ n });
    await new Promise(setImmediate);
  }
  await assert.rejects(lines.close(), { code: "ENOSPC" });
  assert.equal(taken, 2);
});
