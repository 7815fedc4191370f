/** A fleet of a fifth of the size, with the same traffic at each instance. */
import { inMarkdown } from "../../runs/text.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { SCALE_CASES, type ScaleArm, type ScaleCase } from "./cases.ts";
import { scaleResultOf } from "./experiment.ts";
import { scaleCsv, scaleText } from "./text.ts";
import { runScale } from "./incident.ts";
import { measured } from "../../../loadgen/testdata/measured.ts";

const FLEET = { clients: 2000, instances: 20 };

/** The case with a fleet's budget that is a fifth as well, since it is meant for a fifth of the traffic. */
function caseOf(name: string): ScaleCase {
  const found = SCALE_CASES.find((one) => one.name === name);
  assert.ok(found, name);
  const { budget } = found;
  const fifth = { burst: budget.burst / 5, start: budget.start / 5, minPerSecond: budget.minPerSecond / 5 };
  return { ...found, budget: { ...budget, ...fifth } };
}

const run = (name: string, arm: ScaleArm, seed = 1) => runScale(caseOf(name), arm, seed, FLEET);

test("Copies of a floor over-spend by their number: the incident never ends, while with one budget it does", () => {
  const scale = caseOf("floor");
  // Finagle's and linkerd's default of ten a second, copied as a policy file in every container does.
  const copied = { ...scale, budget: { ...scale.budget, minPerSecond: 10 } };
  const copies = runScale(copied, "copied", 1, FLEET);
  const one = runScale(copied, "shared", 1, FLEET);
  assert.ok(measured(copies.retries) > 3 * measured(one.retries), `${copies.retries} and ${one.retries}`);
  assert.ok(measured(copies.late) < 0.05 && measured(copies.success) < 0.2, JSON.stringify(copies));
  assert.ok(measured(one.late) > 0.99 && measured(one.success) > 0.5, JSON.stringify(one));
});

test("Copies of a start level over-spend at once, and what they had saved up", () => {
  const scale = caseOf("start level");
  const copied = { ...scale, budget: { ...scale.budget, burst: 100, start: 100 } };
  const [copies, one] = [runScale(copied, "copied", 1, FLEET), run("start level", "shared")];
  assert.ok(measured(copies.retries) > 2 * measured(one.retries), `${copies.retries} and ${one.retries}`);
  assert.ok(measured(copies.success) < measured(one.success) / 2);
});

test("Parts under-spend at a hot instance: it starves, while the others sit on tokens", () => {
  const [parts, one] = [run("hot instance", "divided"), run("hot instance", "shared")];
  assert.ok(measured(parts.retries) < 0.75 * measured(one.retries), `${parts.retries} and ${one.retries}`);
  assert.ok(measured(parts.idle) > 0.9, `${parts.idle} of the refusals were needless`);
  assert.ok(measured(parts.worst) < measured(one.worst) - 0.03, `${parts.worst} and ${one.worst}`);
});

test("Where one instance alone meets the failures, only what all have earned together is enough", () => {
  const results = (["copied", "divided", "shared", "leased"] as const).map((arm) => run("one bad link", arm));
  const [copied, divided, shared, leased] = results.map(({ worst }) => worst);
  assert.ok((shared ?? 0) > (copied ?? 1) + 0.1 && (shared ?? 0) > (divided ?? 1) + 0.1, JSON.stringify(results));
  assert.ok((leased ?? 0) > (copied ?? 1) + 0.1);
});

test("A part that holds no whole retry makes none, however much is earned", () => {
  assert.equal(run("small burst", "divided").retries, 0);
  assert.ok(measured(run("small burst", "shared").retries) > 0.15);
});

test("The same seed gives the same run, another one another", () => {
  const first = run("saved up", "leased");
  assert.deepEqual(run("saved up", "leased"), first);
  assert.notDeepEqual(run("saved up", "leased", 2), first);
});

test("The table and the CSV have a line for each budget and way to give it, with its interval", () => {
  const scale = caseOf("hot instance");
  const runs = [1, 2, 3].map((success) => ({
    success: success / 4,
    worst: 0,
    retries: 0.1,
    idle: 0,
    late: 1,
  }));
  const results = [scaleResultOf(scale, "divided", runs), scaleResultOf(scale, "shared", runs)];
  const text = inMarkdown(() => scaleText(results));
  assert.match(text, /hot instance \| divided \| 0\.100 \| 50\.0 % \(25\.0–75\.0\)/);
  assert.match(text, /10000 clients, 100 instances/);
  assert.equal(scaleCsv(results).split("\n").length, 4);
  assert.match(scaleCsv(results), /^budget,arm,retries,retries\.low/);
});
