import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { test, type TestContext } from "node:test";
import type { Change } from "./request.ts";
import { serveLive, type LiveServer } from "./server.ts";

interface Lived extends LiveServer {
  readonly changes: Change[];
}

async function served(t: TestContext, change?: () => Promise<void>): Promise<Lived> {
  const changes: Change[] = [];
  const parts = {
    page: () => "<!doctype html><title>live</title>",
    policies: ["naive", "budgeted"],
    change: change ?? ((one: Change) => Promise.resolve(void changes.push(one))),
  };
  const server = await serveLive(parts, 0);
  t.after(() => server.close());
  return { ...server, changes };
}

const post = (url: string, path: string, body: unknown, origin = new URL(url).origin): Promise<Response> =>
  fetch(new URL(path, url), { method: "POST", headers: { origin }, body: JSON.stringify(body) });

/** With any Host, which fetch would not send. */
function statusWithHost(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { host } }, (res) => resolve(res.resume().statusCode))
      .on("error", reject)
      .end();
  });
}

test("The page is served, not to be stored or framed", async (t) => {
  const { url } = await served(t);
  const response = await fetch(url);
  assert.equal(response.status, 200);
  assert.match(await response.text(), /live/u);
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.equal(response.headers.get("x-frame-options"), "DENY");
});

test("Other hosts and origins are refused before anything is done", async (t) => {
  const { url, changes } = await served(t);
  assert.equal(await statusWithHost(url, "evil.example"), 403);
  assert.equal((await post(url, "/trigger", {}, "http://evil.example")).status, 403);
  assert.equal((await fetch(new URL("/trigger", url), { method: "POST", body: "{}" })).status, 403);
  assert.equal((await fetch(new URL("/events", url), { headers: { origin: "http://evil.example" } })).status, 403);
  assert.deepEqual(changes, []);
});

test("Controls reach the lab, wrong ones are answered with every problem", async (t) => {
  const { url, changes } = await served(t);
  assert.equal((await post(url, "/policy", { policy: "budgeted" })).status, 200);
  const wrong = await post(url, "/faults", { capacity: -1, errorRate: 7 });
  assert.equal(wrong.status, 400);
  assert.equal(((await wrong.json()) as { problems: string[] }).problems.length, 2);
  assert.equal((await post(url, "/policy", { policy: "x".repeat(5000) })).status, 413);
  assert.equal((await post(url, "/nothing", {})).status, 404);
  assert.deepEqual(changes, [{ kind: "policy", policy: "budgeted" }]);
});

test("What the lab could not do is told", async (t) => {
  const { url } = await served(t, () => Promise.reject(new Error("the backend has gone")));
  const response = await post(url, "/trigger", {});
  assert.equal(response.status, 502);
  assert.deepEqual(await response.json(), { problems: ["the backend has gone"] });
});

test("Every page that looks on gets each state, and the stream ends with the server", async (t) => {
  const server = await served(t);
  const responses = await Promise.all([1, 2].map(() => fetch(new URL("/events", server.url))));
  server.send({ nowS: 1 });
  await server.close();
  for (const response of responses) assert.equal(await response.text(), 'data: {"nowS":1}\n\n');
});

test("No more than twenty pages look on, and a page that leaves makes room", async (t) => {
  const { url } = await served(t);
  const leaving = new AbortController();
  const open = await Promise.all(
    Array.from({ length: 20 }, () => fetch(new URL("/events", url), { signal: leaving.signal })),
  );
  assert.ok(open.every(({ status }) => status === 200));
  assert.equal((await fetch(new URL("/events", url))).status, 503);
  leaving.abort();
  let status = 503;
  for (let tries = 0; status === 503 && tries < 1000; tries += 1) {
    const response = await fetch(new URL("/events", url));
    status = response.status;
    await response.body?.cancel();
  }
  assert.equal(status, 200);
});

test("A port that is taken is named, with what to do", async (t) => {
  const { url } = await served(t);
  const { port } = new URL(url);
  await assert.rejects(
    serveLive({ page: () => "", policies: [], change: () => Promise.resolve() }, Number(port)),
    new RegExp(`--port ${port}: cannot listen: .*EADDRINUSE.*Choose another`, "u"),
  );
});

test("A request that breaks off in its body, or holds nonsense, does the page no harm", async (t) => {
  const { url, changes } = await served(t);
  const { host, origin, port } = new URL(url);
  const heads = ["content-length: 100", "transfer-encoding: chunked", "content-encoding: gzip\r\ncontent-length: 9"];
  for (const head of heads) {
    for (const close of ["destroy", "resetAndDestroy", "end"] as const) {
      const socket = connect(Number(port), "127.0.0.1").on("error", () => {});
      await once(socket, "connect");
      socket.write(`POST /faults HTTP/1.1\r\nhost: ${host}\r\norigin: ${origin}\r\n${head}\r\n\r\n5\r\nab`);
      socket[close]();
      socket.resume();
      await once(socket, "close");
    }
  }
  assert.equal((await post(url, "/trigger", {})).status, 200);
  assert.deepEqual(changes, [{ kind: "trigger" }]);
});
