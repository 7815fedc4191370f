/**
 * The judge of a generator: answers every request at once and notes when it came.
 *
 * A process of its own, told over IPC: "begin" forgets the stamps, "end" sends them back (milliseconds of the clock
 * that all processes share) with the stall, and "stall" blocks its event loop for a second. Warm-up requests
 * (/orders/warm-…) are answered, counted, not stamped.
 */
import { createServer } from "node:http";
import { monotonicMs } from "../../services/real-time/monotonic.ts";

const MOST = 200_000;
const STALL_MS = 1000;
let stamps: number[] = [];
let served = 0;

/** When it last blocked. */
let stall: { readonly from: number; readonly to: number } | undefined;

function block(ms: number): void {
  const from = monotonicMs();
  const to = from + ms;
  while (monotonicMs() < to);
  stall = { from, to };
}

const server = createServer((req, res) => {
  served += 1;
  if (req.url?.startsWith("/orders/warm-") !== true && stamps.length < MOST) stamps.push(monotonicMs());
  res.setHeader("content-type", "application/json");
  res.end("{}");
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ port: typeof address === "object" && address !== null ? address.port : 0 });
});
process.on("message", (message) => {
  if (message === "begin") [stamps, served] = [[], 0];
  else if (message === "end") process.send?.({ stamps, served, stall });
  else if (message === "stall") block(STALL_MS);
});
process.on("disconnect", () => process.exit(0));
