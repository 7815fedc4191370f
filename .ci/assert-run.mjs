// Asserts what the newest report says:  node .ci/assert-run.mjs POLICY "> 4"
// The sums are done anew from the counts, so that a summary which only says that it reconciles does not pass.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";

const [policy, bound = ""] = process.argv.slice(2);
const [newest] = (existsSync("reports") ? readdirSync("reports") : [])
  .map((name) => `reports/${name}/summary.json`)
  .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
  .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
assert.ok(newest, "no reports/*/summary.json");
const summary = JSON.parse(readFileSync(newest, "utf8"));
const { edge, api, backend } = summary.tiers;

assert.equal(summary.policy, policy, newest);
assert.equal(summary.world, "compose");
// A busy machine is no fault of the code: such a run must still add up, and is told apart loudly.
const busy = /^the (generator could not keep its schedule|machine was saturated)/;
assert.deepEqual(
  summary.invalidReasons.filter((reason) => !busy.test(reason)),
  [],
);
assert.equal(summary.valid, summary.invalidReasons.length === 0);
for (const reason of summary.invalidReasons) console.log(`##  THE MACHINE WAS TOO BUSY FOR A VALID RUN: ${reason}`);

assert.ok(summary.clientRequests > 0 && summary.backendCalls > 0, "something was measured");
assert.equal(edge.arrivals, summary.clientRequests, "client requests = edge arrivals");
assert.equal(api.arrivals, edge.attempts - edge.unsent, "edge attempts = api arrivals");
assert.equal(backend.arrivals, api.attempts - api.unsent, "api attempts = backend arrivals");
assert.deepEqual([edge.lost, api.lost], [0, 0]);
assert.equal(summary.backendCalls, backend.arrivals);

const amplification = summary.backendCalls / summary.clientRequests;
assert.ok(Math.abs(summary.amplification - amplification) < 0.005, "amplification = backend calls / client requests");
const [sign, limit] = bound.split(" ");
assert.ok(sign === ">" || sign === "<", `a bound is "> n" or "< n", not "${bound}"`);
assert.ok(
  sign === ">" ? amplification > Number(limit) : amplification < Number(limit),
  `${amplification}x is not ${bound}`,
);

const percent = (100 * summary.successRate).toFixed(1);
console.log(`${policy}: ${amplification.toFixed(2)}x (${bound}), ${percent} % of ${summary.clientRequests} succeeded`);
