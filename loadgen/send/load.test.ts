import assert from "node:assert/strict";
import { test } from "node:test";
import { realClock } from "../../services/real-time/clock.ts";
import { monotonicMs } from "../../services/real-time/monotonic.ts";
import { readValues } from "../../services/settings/values.ts";
import type { Attack } from "./attack.ts";
import { closedLoop } from "./closed.ts";
import { loadConfigOf } from "../core/config.ts";
import type { Load } from "./load.ts";
import { openLoop } from "./open.ts";

const clock = { ...realClock, now: monotonicMs };
const ATTACK: Attack = { send: () => {}, inFlight: () => 0, close: () => Promise.resolve() };
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
        clock,
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
