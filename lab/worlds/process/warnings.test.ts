import assert from "node:assert/strict";
import { test } from "node:test";
import { sayingWarnings } from "./warnings.ts";

const line = (level: number, msg: string, more: object = {}): string =>
  `${JSON.stringify({ level, service: "api", msg, ...more })}\n`;

test("Each warning of a service is said once, with its reason, and nothing else of what it prints", () => {
  const said: string[] = [];
  const hear = sayingWarnings((text) => said.push(text));
  hear(line(30, "listening"));
  hear(line(40, "spans do not arrive", { reason: "ECONNREFUSED" }) + line(50, "broken\u001b[2J"));
  hear(line(40, "spans do not arrive", { reason: "ECONNREFUSED" }));
  hear("null\n7\nnot JSON\n{");
  assert.deepEqual(said, ["api: spans do not arrive (ECONNREFUSED)", "api: broken\\x1b[2J"]);
});

test("No more than ten warnings are said, and none at any length", () => {
  const said: string[] = [];
  const hear = sayingWarnings((text) => said.push(text));
  for (let n = 0; n < 100; n += 1) hear(line(40, `${n} ${"x".repeat(10_000)}`));
  assert.equal(said.length, 10);
  assert.ok(said.every(({ length }) => length <= 300));
});
