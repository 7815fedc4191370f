/** The administration's client, against an HTTP server that answers as each test likes. The clock stands still. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import type { Clock } from "../../services/policy/clock.ts";
import { backend, hop } from "../testdata/facts.ts";
import { changeAll, createTier, TierError, type Tier } from "./tiers.ts";

/** A clock whose waits end when the test says so. */
function heldClock() {
  const waits = new Map<() => void, number>();
  const clock: Clock = {
    now: () => 0,
    after(delayMs, run) {
      waits.set(run, delayMs);
      return () => void waits.delete(run);
    },
  };
  const ring = (): void => {
    for (const run of waits.keys()) run();
  };
  return { clock, ring, waiting: () => [...waits.values()] };
}

async function tierAt(t: TestContext, name: string, answer: RequestListener, path = "") {
  const server = createServer(answer);
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const held = heldClock();
  return { tier: createTier({ name, url: url + path }, held.clock), url, held };
}

const answering =
  (status: number, body: unknown): RequestListener =>
  (_req, res) =>
    void res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

/** The message of the TierError that `asked` ends with, and whether the tier was only busy. */
async function faultOf(asked: Promise<unknown>): Promise<{ message: string; isBusy: boolean }> {
  const error: unknown = await asked.then(
    () => assert.fail("it should not have gone well"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof TierError, String(error));
  return { message: error.message, isBusy: error.isBusy };
}

test("Each question goes to its path with its method and, where it has one, its body as JSON", async (t) => {
  const seen: string[] = [];
  const { tier, held } = await tierAt(
    t,
    "backend",
    (req, res) => {
      let body = "";
      req.on("data", (chunk) => (body += chunk));
      req.on("end", () => {
        seen.push(`${req.method} ${req.url} ${req.headers["content-type"] ?? "-"} ${body}`);
        res.end(JSON.stringify(req.url === "/stats" ? backend({ arrivals: 5 }).last : {}));
      });
    },
    "/", // an address may end with a slash
  );
  assert.equal(await tier.readiness(), undefined);
  assert.deepEqual(await tier.stats(), backend({ arrivals: 5 }).last);
  await tier.beginRun(7);
  await tier.changeFaults({ capacity: 90 });
  await tier.changePolicy({ POLICY: "naive" });
  assert.deepEqual(seen, [
    "GET /healthz - ",
    "GET /stats - ",
    'POST /run application/json {"seed":7}',
    'PUT /faults application/json {"capacity":90}',
    'PUT /policy application/json {"POLICY":"naive"}',
  ]);
  assert.deepEqual(held.waiting(), [], "no wait outlives its answer");
});

test("A tier that is stopping, or not there, says why it is not ready", async (t) => {
  assert.equal(await (await tierAt(t, "edge", answering(503, {}))).tier.readiness(), "it answers 503");
  const free = createServer().listen(0, "127.0.0.1");
  await once(free, "listening");
  const url = `http://127.0.0.1:${(free.address() as AddressInfo).port}`;
  await new Promise((resolve) => free.close(resolve));
  const gone = createTier({ name: "edge", url }, heldClock().clock);
  assert.match((await gone.readiness()) ?? "", /ECONNREFUSED/);
  assert.match((await faultOf(gone.stats())).message, /^edge \(http:\/\/127\.0\.0\.1:\d+\/stats\): .*ECONNREFUSED/);
});

test("A refusal is told in the tier's own words, and a busy tier is told from a broken one", async (t) => {
  const busy = await tierAt(t, "api", answering(409, { detail: "3 requests are in flight" }));
  assert.deepEqual(await faultOf(busy.tier.beginRun(1)), {
    message: `api (${busy.url}/run): 3 requests are in flight`,
    isBusy: true,
  });
  const mute = await tierAt(t, "api", answering(500, {}));
  assert.deepEqual(await faultOf(mute.tier.beginRun(1)), {
    message: `api (${mute.url}/run): status 500`,
    isBusy: false,
  });
  const proxy = await tierAt(t, "api", (_req, res) => void res.writeHead(502).end("<html>"));
  assert.match((await faultOf(proxy.tier.beginRun(1))).message, /: status 502$/);
});

test("Another program at the address is noticed at once, and so is a tier under another's name", async (t) => {
  const statsFrom = async (answer: RequestListener): Promise<string> =>
    (await faultOf((await tierAt(t, "edge", answer)).tier.stats())).message;
  assert.match(await statsFrom(answering(200, { hello: "world" })), /that is not a service of this lab$/);
  assert.match(await statsFrom(answering(200, null)), /that is not a service of this lab$/);
  assert.match(await statsFrom(answering(200, hop("api", {}).last)), /it calls itself "api": check CHAIN$/);
  assert.match(await statsFrom((_req, res) => void res.end("<html>")), /that is not a service of this lab$/);
});

test("A tier that does not answer is given 3 s, whether it says nothing or never ends its answer", async (t) => {
  const silences: readonly RequestListener[] = [() => {}, (_req, res) => void res.write("{")];
  for (const silence of silences) {
    let heard = (): void => {};
    const asked = new Promise<void>((resolve) => (heard = resolve));
    const { tier, held } = await tierAt(t, "edge", (req, res) => {
      silence(req, res);
      heard();
    });
    const ask = async (question: (tier: Tier) => Promise<unknown>) => {
      const answer = question(tier);
      await asked;
      assert.deepEqual(held.waiting(), [3000]);
      held.ring();
      return answer;
    };
    assert.match(
      (await faultOf(ask((each) => each.stats()))).message,
      /: no answer within 3 s; this machine may be too busy: .* lower RATE$/,
    );
  }
});

test("Where one tier does not take other settings, all get back what held before", async (t) => {
  const seen: string[][] = [[], []];
  const [first, second] = await Promise.all(
    [200, 400].map((status, i) =>
      tierAt(t, "edge", (req, res) => {
        req.on("data", (chunk) => seen[i]?.push(String(chunk)));
        req.on("end", () => answering(status, { detail: "not that" })(req, res));
      }),
    ),
  );
  assert.ok(first && second);
  const { message } = await faultOf(changeAll([first.tier, second.tier], { A: "new" }, { A: "old" }));
  assert.match(message, /not that/);
  const both = ['{"A":"new"}', '{"A":"old"}'];
  assert.deepEqual(seen, [both, both]);
});
