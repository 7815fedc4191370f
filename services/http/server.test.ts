import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { test, type TestContext } from "node:test";
import { VirtualClock } from "../virtual-time/clock.ts";
import { listen, listenProblem, type Listening } from "./server.ts";
import { ask, promised } from "./testdata/http.ts";

/** A server whose answers the test holds in its hand. */
async function held(
  t: TestContext,
): Promise<{ server: Listening; clock: VirtualClock; arrived: Promise<ServerResponse> }> {
  const clock = new VirtualClock();
  const arrived = promised<ServerResponse>();
  const server = await listen((_req, res) => arrived.keep(res), "127.0.0.1", 0, clock);
  t.after(() => server.stop(0, () => {}));
  return { server, clock, arrived: arrived.promise };
}

function stopped(server: Listening, graceMs: number): Promise<void> {
  return new Promise((resolve) => server.stop(graceMs, resolve));
}

test("What is in flight when a server stops may finish, on a connection that then closes", async (t) => {
  const { server, arrived } = await held(t);
  const answer = ask(`http://127.0.0.1:${server.port}/`);
  const res = await arrived;
  const end = stopped(server, 5000);
  res.end("done");
  const { status, text, headers } = await answer;
  assert.deepEqual([status, text, headers.get("connection")], [200, "done", "close"]);
  await end;
});

test("What does not finish within the grace is refused with 503", async (t) => {
  const { server, clock, arrived } = await held(t);
  const answer = ask(`http://127.0.0.1:${server.port}/`);
  await arrived;
  const end = stopped(server, 5000);
  clock.runUntil(4999);
  assert.equal((await arrived).headersSent, false);
  clock.runUntil(5000);
  const { status, text, headers } = await answer;
  assert.equal(status, 503);
  assert.equal(headers.get("connection"), "close");
  assert.match(text, /the service is stopping/);
  await end;
});

test("A client that never reads its answer cannot hold the server open", async (t) => {
  const { server, clock, arrived } = await held(t);
  const socket = connect(server.port, "127.0.0.1");
  t.after(() => socket.destroy());
  socket.on("error", () => {});
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  const res = await arrived;
  res.write("x".repeat(10_000_000));
  const end = stopped(server, 5000);
  clock.runUntil(6000);
  await end;
});

test("A connection that has asked nothing is closed at once, even while another is busy", async (t) => {
  const { server, arrived } = await held(t);
  const quiet = connect(server.port, "127.0.0.1");
  await once(quiet, "connect");
  quiet.resume();
  const closed = once(quiet, "close");
  // Connections are taken in their order: with this request the quiet one is in.
  const answer = ask(`http://127.0.0.1:${server.port}/`);
  const res = await arrived;
  const end = stopped(server, 5000);
  await closed;
  res.end();
  assert.equal((await answer).status, 200);
  await end;
});

test("Kept-alive connections are closed at once, and nobody new is let in", async (t) => {
  const { server, arrived } = await held(t);
  const url = `http://127.0.0.1:${server.port}/`;
  const answer = ask(url);
  (await arrived).end();
  assert.equal((await answer).headers.get("connection"), "keep-alive");
  await stopped(server, 5000);
  await assert.rejects(ask(url));
});

test("A taken port is named, with what to do", async (t) => {
  const { server } = await held(t);
  const again = listen(() => {}, "127.0.0.1", server.port, new VirtualClock());
  await assert.rejects(again, (error: Error) => {
    assert.match(error.message, new RegExp(`^PORT=${server.port} is taken on 127\\.0\\.0\\.1: .*choose another PORT`));
    return true;
  });
});

test("Where no port is left, nobody is told to choose another, or 0", () => {
  const error = Object.assign(new Error("listen EADDRINUSE"), { code: "EADDRINUSE" });
  assert.equal(
    listenProblem(error, "127.0.0.1", 0).message,
    "127.0.0.1 has no free port left: end what holds so many.",
  );
});

test("An address that is not this machine's is named, with what to do", async () => {
  await assert.rejects(
    listen(() => {}, "192.0.2.1", 0, new VirtualClock()),
    /HOST=192\.0\.2\.1 is not an address of this machine/,
  );
});
