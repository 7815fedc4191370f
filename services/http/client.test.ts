import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { test, type TestContext } from "node:test";
import type { Reply } from "../policy/outcome.ts";
import { LARGEST_ANSWER } from "./exchange.ts";
import { requestOf } from "../contract/headers.ts";
import { createHttpClient, type HttpClient } from "./client.ts";
import { nobody, promised, serve } from "./testdata/http.ts";

const REQUEST = requestOf("o1", "GET", "/orders/o1", {});

interface Client extends HttpClient {
  unsent: number;
  /** One attempt, to its end. */
  attempt(): Promise<Reply>;
}

function clientOf(t: TestContext, upstreamUrl: string, connections = 10): Client {
  const onUnsent = (): void => {
    made.unsent += 1;
  };
  const client = createHttpClient({ upstreamUrl, connections, onUnsent });
  t.after(() => client.close());
  const attempt = (): Promise<Reply> => new Promise((resolve) => client.send(REQUEST, resolve));
  const made: Client = { ...client, unsent: 0, attempt };
  return made;
}

async function replyOf(t: TestContext, app: RequestListener): Promise<Reply> {
  return clientOf(t, await serve(t, app)).attempt();
}

test("An answer is read with its body", async (t) => {
  const reply = await replyOf(t, (_req, res) => res.end('{"order":"o1"}'));
  assert.deepEqual([reply.outcome, reply.status, reply.body], ["ok", 200, '{"order":"o1"}']);
});

test("An overloaded callee's Retry-After and x-retry-ok are read", async (t) => {
  const reply = await replyOf(t, (_req, res) => res.writeHead(503, { "retry-after": "2", "x-retry-ok": "0" }).end());
  assert.deepEqual([reply.outcome, reply.retryAfterMs, reply.doNotRetry], ["overloaded", 2000, true]);
});

test("A Retry-After with a date is read against the wall clock", async (t) => {
  const inTenMinutes = new Date(Date.now() + 600_000).toUTCString();
  const { retryAfterMs = 0 } = await replyOf(t, (_req, res) =>
    res.writeHead(429, { "retry-after": inTenMinutes }).end(),
  );
  assert.ok(retryAfterMs > 500_000 && retryAfterMs <= 600_000, String(retryAfterMs));
});

test("The reason why a hop below stopped is read from its problem", async (t) => {
  const reply = await replyOf(t, (_req, res) => {
    res.writeHead(500, { "content-type": "application/problem+json" }).end('{"stop":"budget_exhausted"}');
  });
  assert.deepEqual([reply.outcome, reply.stop, reply.body], ["failed", "budget_exhausted", undefined]);
});

test("A callee that dies before its answer is a failure of an attempt that was sent", async (t) => {
  const reply = await replyOf(t, (req) => req.socket.destroy());
  assert.deepEqual(reply, { outcome: "failed", status: 0 });
});

test("So is one that dies in the middle of its answer", async (t) => {
  const reply = await replyOf(t, (req, res) => {
    res.writeHead(200, { "content-length": 1000 }).write("half of it", () => req.socket.destroy());
  });
  assert.deepEqual(reply, { outcome: "failed", status: 0 });
});

test("An attempt that found nobody never left", async (t) => {
  const client = clientOf(t, await nobody());
  assert.deepEqual(await client.attempt(), { outcome: "failed", status: 0, sent: false });
  assert.equal(client.unsent, 1);
});

test("An answer without end is cut off and counts as none", async (t) => {
  const reply = await replyOf(t, (_req, res) => res.end("x".repeat(LARGEST_ANSWER + 1)));
  assert.deepEqual(reply, { outcome: "failed", status: 0 });
  const whole = await replyOf(t, (_req, res) => res.end("x".repeat(LARGEST_ANSWER)));
  assert.equal(whole.body?.length, LARGEST_ANSWER);
});

test("Cancelling closes the connection, and no answer comes afterwards", async (t) => {
  const arrived = promised<ServerResponse>();
  const gone = promised();
  const url = await serve(t, (_req, res) => {
    res.on("close", () => gone.keep());
    arrived.keep(res);
  });
  const client = clientOf(t, url);
  const replies: Reply[] = [];
  const cancel = client.send(REQUEST, (reply) => replies.push(reply));
  await arrived.promise;
  cancel();
  cancel();
  await gone.promise;
  assert.equal((await replyOf(t, (_req, res) => res.end())).outcome, "ok");
  assert.deepEqual([replies, client.unsent], [[], 0]);
});

test("A closed client answers through a later call, never within send", async (t) => {
  const client = clientOf(t, await nobody());
  await client.close();
  const reply = promised<Reply>();
  let returned = false;
  client.send(REQUEST, (given) => {
    assert.ok(returned);
    reply.keep(given);
  });
  returned = true;
  assert.equal((await reply.promise).sent, false);
});

test("Connections are capped; whoever leaves the line was never sent and costs the others nothing", async (t) => {
  const answers: ServerResponse[] = [];
  const first = promised();
  const second = promised();
  const url = await serve(t, (_req, res) => {
    answers.push(res);
    if (answers.length === 1) first.keep();
    else second.keep();
  });
  const client = clientOf(t, url, 1);
  const one = client.attempt();
  await first.promise;
  const leave = client.send(REQUEST, () => assert.fail("it has left"));
  const three = client.attempt();
  assert.equal(client.waiting(), 2);
  leave();
  assert.deepEqual([client.waiting(), client.unsent], [1, 1]);
  answers[0]?.end();
  assert.equal((await one).outcome, "ok");
  await second.promise;
  answers[1]?.end();
  assert.equal((await three).outcome, "ok");
  assert.equal(answers.length, 2);
});

test("A cancelled attempt gives its place to the next one", async (t) => {
  const arrived = promised();
  let requests = 0;
  const url = await serve(t, (_req, res) => {
    requests += 1;
    if (requests === 1) arrived.keep();
    else res.end();
  });
  const client = clientOf(t, url, 1);
  const cancel = client.send(REQUEST, () => assert.fail("it was cancelled"));
  await arrived.promise;
  const next = client.attempt();
  cancel();
  assert.equal((await next).outcome, "ok");
});

test("Thousands of attempts over few connections leave no listeners behind", async (t) => {
  const server = createServer((_req, res) => res.end("{}")).listen(0, "127.0.0.1");
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  await once(server, "listening");
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on("warning", onWarning);
  t.after(() => process.off("warning", onWarning));
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const client = clientOf(t, `http://127.0.0.1:${address.port}`, 4);
  const replies = await Promise.all(Array.from({ length: 2000 }, () => client.attempt()));
  assert.ok(replies.every(({ outcome }) => outcome === "ok"));
  assert.deepEqual([warnings, client.waiting()], [[], 0]);
});
