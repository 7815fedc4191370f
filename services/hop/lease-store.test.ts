/**
 * The shared bucket in a real Redis: its arithmetic, and how it is asked when it stands still, forgets or goes away.
 */
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { createClient } from "@redis/client";
import fc from "fast-check";
import type { RedisProcess } from "../../lab/worlds/process/budget-store.ts";
import { hasRedis, redisFor } from "../../lab/worlds/process/testdata/redis.ts";
import type { Lease, LeaseRequest, SharedTerms } from "../policy/budget/fleet.ts";
import { Pot } from "../policy/testdata/pot.ts";
import { realClock } from "../real-time/clock.ts";
import { LeaseStore } from "./lease-store.ts";
import { nobody, serve } from "../http/testdata/http.ts";

/** So long that a busy machine does not look like a store that stands still. */
const PATIENT_MS = 30_000;
const TERMS: SharedTerms = { most: 10, start: 5, perSecond: 0 };

type Ask = (request?: Partial<LeaseRequest>) => Promise<Lease | undefined>;

function instance(t: TestContext, { url }: { url: string }, timeoutMs = PATIENT_MS) {
  const store = new LeaseStore({ url, timeoutMs, clock: realClock });
  t.after(() => store.close());
  return (key: string, terms = TERMS): Ask => {
    const ask = store.asker(key, terms);
    return (request = {}) => new Promise((resolve) => ask({ deposit: 0, want: 0, known: true, ...request }, resolve));
  };
}

/** Why the store at `url` has no answer, asked twice, since the second question opens another connection. */
async function refusal(t: TestContext, url: string): Promise<string> {
  const store = new LeaseStore({ url, timeoutMs: PATIENT_MS, clock: realClock });
  t.after(() => store.close());
  const ask = store.asker("bucket", TERMS);
  for (let n = 0; n < 2; n += 1) {
    const lease = await new Promise((resolve) => ask({ deposit: 0, want: 1, known: false }, resolve));
    assert.equal(lease, undefined);
  }
  return store.fault() ?? "";
}

async function client(t: TestContext, { url }: RedisProcess) {
  const made = createClient({ url, socket: { reconnectStrategy: false } });
  // The store may end before it.
  made.on("error", () => {});
  await made.connect();
  t.after(() => made.isOpen && made.destroy());
  return made;
}

function freeze(store: RedisProcess): void {
  process.kill(store.pid, "SIGSTOP");
}
function thaw(store: RedisProcess): void {
  process.kill(store.pid, "SIGCONT");
}

const request = fc.record({
  deposit: fc.constantFrom(0, 0.2, 1, 3.7),
  want: fc.integer({ min: 0, max: 4 }),
  known: fc.boolean(),
});

const withRedis = (title: string, run: (t: TestContext) => Promise<void>): void => {
  if (redisIsHere) test(title, run);
};
const redisIsHere = hasRedis();

describe("The shared bucket in Redis", { concurrency: 1 }, () => {
  withRedis("leases out what the bucket in memory of the policy's own tests does", async (t) => {
    const ask = instance(t, await redisFor(t));
    for (const [n, requests] of fc
      .sample(fc.array(request, { minLength: 30, maxLength: 30 }), { numRuns: 20, seed: 1 })
      .entries()) {
      const pot = new Pot(TERMS, () => 0);
      const askBucket = ask(`bucket-${n}`);
      for (const one of requests) {
        const [expected, lease] = [pot.serve(one), await askBucket(one)];
        assert.equal(lease?.granted, expected.granted);
        assert.ok(Math.abs(lease.left - expected.left) < 1e-9, `${lease.left} instead of ${expected.left}`);
      }
    }
  });

  withRedis("drips by the store's own clock, and holds no more than its most", async (t) => {
    const store = await redisFor(t);
    const redis = await client(t, store);
    const ask = instance(t, store)("bucket", { most: 10, start: 0, perSecond: 1 });
    await ask({ known: false });
    const agoS = async (seconds: number): Promise<void> => {
      const now = Number(await redis.hGet("bucket", "at"));
      await redis.hSet("bucket", { retries: "0", at: String(now - seconds * 1000) });
    };
    await agoS(4);
    const four = await ask({ want: 4 });
    assert.equal(four?.granted, 4);
    await agoS(3600);
    assert.equal((await ask())?.left, 10);
  });

  withRedis("never leases one retry to two instances, however they crowd", async (t) => {
    const store = await redisFor(t);
    const instances = [1, 2, 3, 4].map(() => instance(t, store)("bucket", { most: 1000, start: 100, perSecond: 0 }));
    const asked = instances.flatMap((ask) => Array.from({ length: 50 }, () => ask({ want: 3, known: false })));
    const leases = await Promise.all(asked);
    assert.equal(
      leases.reduce((sum, lease) => sum + (lease?.granted ?? NaN), 0),
      100,
    );
  });

  withRedis("forgets a bucket that nobody asks for an hour", async (t) => {
    const store = await redisFor(t);
    await instance(t, store)("bucket")();
    const leftMs = await (await client(t, store)).pTTL("bucket");
    assert.ok(leftMs > 3_000_000 && leftMs <= 3_600_000, `${leftMs}`);
  });

  withRedis("starts again at 0 for who knew it, when the store has lost its memory", async (t) => {
    const store = await redisFor(t);
    const ask = instance(t, store)("bucket");
    assert.equal((await ask({ known: false }))?.left, 5);
    await (await client(t, store)).flushAll();
    assert.equal((await ask({ known: true }))?.left, 0);
  });
});

describe("A store that does not answer", { concurrency: 1 }, () => {
  withRedis("costs a bounded time while it stands still, and answers again when it goes on", async (t) => {
    const store = await redisFor(t);
    const ask = instance(t, store, 200)("bucket");
    const patient = instance(t, store)("bucket");
    await patient({ known: false });
    freeze(store);
    for (let n = 0; n < 3; n += 1) assert.equal(await ask(), undefined);
    thaw(store);
    assert.deepEqual(await patient(), { granted: 0, left: 5 });
  });

  withRedis("loses at most the one lease in doubt, however often it was asked meanwhile", async (t) => {
    const store = await redisFor(t);
    const patient = instance(t, store)("bucket");
    await patient({ known: false });
    const ask = instance(t, store, 50)("bucket");
    freeze(store);
    await ask({ want: 2 });
    for (let n = 0; n < 5; n += 1) await ask();
    thaw(store);
    const lease = await patient();
    assert.ok(lease !== undefined && lease.left >= 3, "at most the one lease of two that was in doubt");
  });

  withRedis("because it was killed says so at once, and again when asked again", async (t) => {
    const store = await redisFor(t);
    const ask = instance(t, store)("bucket");
    assert.equal((await ask({ known: false, want: 1 }))?.granted, 1);
    process.kill(store.pid, "SIGKILL");
    assert.equal(await ask(), undefined);
    assert.equal(await ask(), undefined);
  });

  test("because nobody listens there is no answer either", async (t) => {
    const url = (await nobody()).replace("http:", "redis:");
    assert.match(await refusal(t, url), /^ECONNREFUSED$/);
  });

  test("because it is an HTTP server there is no answer either", async (t) => {
    const url = await serve(t, (_req, res) => res.end("hello"));
    assert.notEqual(await refusal(t, url.replace("http:", "redis:")), "");
  });

  withRedis("because it wants a password says so, and takes the right one", async (t) => {
    const store = await redisFor(t);
    await (await client(t, store)).configSet("requirepass", "secret");
    assert.match(await refusal(t, store.url), /^NOAUTH /);
    assert.match(await refusal(t, store.url.replace("//", "//:wrong@")), /^WRONGPASS /);
    const url = store.url.replace("//", "//:secret@");
    assert.equal((await instance(t, { url })("bucket")({ known: false }))?.left, 5);
  });

  withRedis("because it is a copy that takes no writes says so", async (t) => {
    const store = await redisFor(t);
    await (await client(t, store)).replicaOf("127.0.0.1", 1);
    assert.match(await refusal(t, store.url), /READONLY/);
  });
});
