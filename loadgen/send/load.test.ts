import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { sharedClock } from "../../services/real-time/clock.ts";
import { readValues } from "../../services/settings/values.ts";
import type { Attack } from "./attack.ts";
import { closedLoop } from "./closed.ts";
import { loadConfigOf } from "../core/config.ts";
import type { Load } from "./load.ts";
import { openLoop } from "./open.ts";

const ATTACK: Attack = { send: () => {}, inFlight: () => 0, outOfFiles: () => 0, close: () => Promise.resolve() };
/** A loop that does not stop would go on for an hour. */
const CONFIG = loadConfigOf(readValues({ DURATION_S: "3600", CHAIN: "backend=http://127.0.0.1:1" }));

const LOOPS: readonly (readonly [name: string, load: Load])[] = [
  ["open", openLoop],
  ["closed", closedLoop],
];

for (const [name, load] of LOOPS) {
  test(
    `A run that is stopped before its ${name} loop begins sends nothing and does not wait for its end`,
    { timeout: 60_000 },
    async () => {
      let due = 0;
      await load({
        config: CONFIG,
        clock: sharedClock,
        attack: ATTACK,
        stop: AbortSignal.abort(),
        onStart: () => {},
        onDue: () => {
          due += 1;
        },
        onRecord: () => {},
      });
      assert.equal(due, 0);
    },
  );
}

test("A closed loop has as many connections as CLOSED_CONNECTIONS says", { timeout: 60_000 }, async (t) => {
  let [connections, requests] = [0, 0];
  const controller = new AbortController();
  const server = createServer((_req, res) => {
    requests += 1;
    res.end("{}");
    if (requests === 30) controller.abort();
  });
  server.on("connection", () => (connections += 1));
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await closedLoop({
    config: { ...CONFIG, closedConnections: 3, chain: [{ name: "backend", url }] },
    clock: sharedClock,
    attack: ATTACK,
    stop: controller.signal,
    onStart: () => {},
    onDue: () => {},
    onRecord: () => {},
  });
  assert.equal(connections, 3);
});
