import assert from "node:assert/strict";
import { test } from "node:test";
import { requestWith } from "../hop/testdata/upstream.ts";
import { serve } from "./testdata/http.ts";
import { createUpstreams } from "./upstreams.ts";

test("Attempts go to the instances of the tier below in turn", async (t) => {
  const served: string[] = [];
  const urls = [];
  for (const name of ["a", "b", "c"]) urls.push(await serve(t, (_req, res) => res.end(String(served.push(name)))));
  const client = createUpstreams({ upstreamUrl: urls.join(","), connections: 3, onUnsent: () => {} });
  t.after(() => client.close());
  for (let n = 0; n < 6; n += 1) {
    const outcome = await new Promise((resolve) => client.send(requestWith(), (reply) => resolve(reply.outcome)));
    assert.equal(outcome, "ok");
  }
  assert.deepEqual(served, ["a", "b", "c", "a", "b", "c"]);
});

test("The connections are shared out among the instances, and what waits for one is counted over all", async (t) => {
  const silent = async (): Promise<string> => serve(t, () => {});
  const upstreamUrl = `${await silent()},${await silent()}`;
  let unsent = 0;
  const client = createUpstreams({ upstreamUrl, connections: 2, onUnsent: () => (unsent += 1) });
  const cancels = [1, 2, 3, 4, 5].map(() => client.send(requestWith(), () => {}));
  assert.equal(client.waiting(), 3);
  for (const cancel of cancels.slice(2)) cancel();
  assert.deepEqual([client.waiting(), unsent], [0, 3]);
  for (const cancel of cancels) cancel();
  await client.close();
});
