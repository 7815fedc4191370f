/** The lab's generator alone: node generator.js URL RATE SECONDS constant|poisson. Prints what it saw as JSON. */
import { setTimeout as sleep } from "node:timers/promises";
import { monotonicMs } from "../../services/platform/monotonic.ts";
import { realClock } from "../../services/platform/clock.ts";
import { createAttack } from "../../loadgen/attack.ts";
import { startPacer } from "../../loadgen/pacer.ts";
import type { ClientRecord } from "../../loadgen/record.ts";

const [url = "", rate = "60", seconds = "5", arrivals = "constant"] = process.argv.slice(2);
const clock = { ...realClock, now: monotonicMs };
const attack = createAttack({ url, connections: 256, timeoutMs: Infinity, seed: 1, clock });
const records: ClientRecord[] = [];
let unsent = 0;
let startMs = 0;
const begun = process.cpuUsage();
await startPacer({
  config: {
    rate: Number(rate),
    durationS: Number(seconds),
    arrivals: arrivals === "poisson" ? "poisson" : "constant",
    rateProfile: [],
    seed: 1,
    writeShare: 0,
    idempotencyKeys: false,
  },
  onStart: (at) => (startMs = at),
  onDue: (arrival) =>
    attack.send(arrival, startMs, (record, sent) => {
      records.push(record);
      if (!sent) unsent += 1;
    }),
}).over;
for (let i = 0; i < 100 && attack.inFlight() > 0; i += 1) await sleep(50);
const { user, system } = process.cpuUsage(begun);
const latencies = records.map(({ latencyMs }) => latencyMs).toSorted((a, b) => a - b);
const p99Ms = latencies[Math.ceil(latencies.length * 0.99) - 1] ?? Number.NaN;
const late = records.filter(({ lateMs }) => lateMs > 5).length;
console.log(
  JSON.stringify({ sent: records.length - unsent, unsent, late, p99Ms, cpuMs: (user + system) / 1000 }),
);
await attack.close();
