/**
 * The judge of a generator: answers every request at once and notes when it came.
 *
 * A process of its own, told over IPC: "begin" forgets the stamps, "end" sends them back (milliseconds, its own clock),
 * and "stall" blocks its event loop for a second.
 */
import { createServer } from "node:http";
import { performance } from "node:perf_hooks";

const MOST = 200_000;
const STALL_MS = 1000;
let stamps: number[] = [];

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

const server = createServer((_req, res) => {
  if (stamps.length < MOST) stamps.push(performance.now());
  res.setHeader("content-type", "application/json");
  res.end("{}");
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ port: typeof address === "object" && address !== null ? address.port : 0 });
});
process.on("message", (message) => {
  if (message === "begin") stamps = [];
  else if (message === "end") process.send?.({ stamps });
  else if (message === "stall") block(STALL_MS);
});
process.on("disconnect", () => process.exit(0));
