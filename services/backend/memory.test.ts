/** What a backend must not hold on to, however strange its callers are. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { VirtualClock } from "../virtual-time/clock.ts";
import { Ties } from "./core/ties.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** As a job does, it stands for a request, its answer and their buffers. */
function servedWithoutPartner(ties: Ties, id: string): WeakRef<object> {
  const job = { id };
  ties.join(id, 1, () => void job.id).begin();
  return new WeakRef(job);
}

test("A tied copy whose partner never comes is not held once it is served", async () => {
  const ties = new Ties(new VirtualClock(), 0);
  const refs = Array.from({ length: 1000 }, (_, i) => servedWithoutPartner(ties, `o${i}`));
  await new Promise((done) => setImmediate(done));
  collectGarbage();
  assert.equal(refs.filter((ref) => ref.deref() !== undefined).length, 0);
  assert.equal(ties.join("o7", 1, () => {}).isServedElsewhere(), true, "a late partner is still told");
});
