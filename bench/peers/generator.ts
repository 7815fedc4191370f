/**
 * The lab's generator alone, warmed as in the lab (loadgen/run/prepare.ts):
 * node generator.js URL RATE SECONDS constant|poisson CONNECTIONS. Prints what it saw as JSON.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { sharedClock } from "../../services/real-time/clock.ts";
import { createAttack } from "../../loadgen/send/attack.ts";
import { startPacer } from "../../loadgen/send/pacer.ts";
import type { ClientRecord } from "../../loadgen/core/record.ts";

const [url = "", rate = "60", seconds = "5", arrivals = "constant", connections = "256"] = process.argv.slice(2);
const WARM_UP_S = 1;
const WARM_UP_AT_ONCE = 32;

const attack = createAttack({
  url,
  connections: Number(connections),
  timeoutMs: Infinity,
  seed: 1,
  clock: sharedClock,
});
const plan = { rate: Number(rate), rateProfile: [], seed: 1, writeShare: 0, idempotencyKeys: false };
const records: ClientRecord[] = [];
let unsent = 0;
let startMs = 0;

async function drain(): Promise<void> {
  for (let i = 0; i < 100 && attack.inFlight() > 0; i += 1) await sleep(50);
}

async function warmUp(): Promise<void> {
  const send = (n: number, intendedMs: number): void =>
    attack.send({ n, id: `warm-${n}`, method: "GET", intendedMs }, startMs, () => {});
  await startPacer({
    config: { ...plan, durationS: WARM_UP_S, arrivals: "constant" },
    onStart(at) {
      startMs = at;
      for (let n = 0; n < WARM_UP_AT_ONCE; n += 1) send(n, 0);
    },
    onDue: ({ n, intendedMs }) => send(WARM_UP_AT_ONCE + n, intendedMs),
  }).over;
  await drain();
}

await warmUp();
await startPacer({
  config: {
    ...plan,
    durationS: Number(seconds),
    arrivals: arrivals === "poisson" ? "poisson" : "constant",
  },
  onStart: (at) => (startMs = at),
  onDue: (arrival) =>
    attack.send(arrival, startMs, (record, sent) => {
      records.push(record);
      if (!sent) unsent += 1;
    }),
}).over;
await drain();
const { user, system } = process.cpuUsage();
const latencies = records.map(({ latencyMs }) => latencyMs).toSorted((a, b) => a - b);
const p99Ms = latencies[Math.ceil(latencies.length * 0.99) - 1] ?? Number.NaN;
/** When those were due that went out more than 5 ms late. */
const lateAt = records.filter(({ lateMs }) => lateMs > 5).map(({ intendedMs }) => startMs + intendedMs);
console.log(JSON.stringify({ sent: records.length - unsent, unsent, lateAt, p99Ms, cpuMs: (user + system) / 1000 }));
await attack.close();
