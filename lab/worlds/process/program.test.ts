import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { portOf, ProgramDied, type Ended } from "./program.ts";

const running = new Promise<Ended>(() => {});

test("A service that never says its port is given up after 15 s, by name, with what it printed", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const port = portOf("api", new EventEmitter(), running, () => ["loading the settings"]);
  t.mock.timers.tick(15_000);
  await assert.rejects(port, {
    message: "api did not listen within 15 s. This machine may be too busy. Its last lines:\n  loading the settings",
  });
});

test("A service that says its port in time is believed, and not given up later", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const child = new EventEmitter();
  const port = portOf("api", child, running, () => []);
  t.mock.timers.tick(14_999);
  child.emit("message", { port: 4711 });
  t.mock.timers.tick(60_000);
  assert.equal(await port, 4711);
});

test("A service that ends instead is reported as that, with its last words", async () => {
  const ended: Ended = { name: "api", code: 1, signal: undefined, lines: ["EADDRINUSE"] };
  const port = portOf("api", new EventEmitter(), Promise.resolve(ended), () => []);
  await assert.rejects(
    port,
    (error) =>
      error instanceof ProgramDied &&
      error.message === "api ended by itself (exit code 1). Its last lines:\n  EADDRINUSE",
  );
});
