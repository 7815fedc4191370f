import assert from "node:assert/strict";
import { test } from "node:test";
import { readChange } from "./request.ts";

const POLICIES = ["naive", "budgeted"];
const read = (path: string, body: unknown) => readChange(path, JSON.stringify(body), POLICIES);

test("A known policy, faults within their ranges and a trigger are taken", () => {
  assert.deepEqual(read("/policy", { policy: "budgeted" }), {
    change: { kind: "policy", policy: "budgeted" },
  });
  const faults = { capacity: 90, errorRate: 0.4 };
  assert.deepEqual(read("/faults", { ...faults, more: 1 }), { change: { kind: "faults", faults } });
  assert.deepEqual(read("/trigger", {}), { change: { kind: "trigger" } });
});

test("What is wrong is named with the value and the rule, all faults at once", () => {
  const problems = (path: string, body: unknown): readonly string[] => {
    const result = read(path, body);
    return "problems" in result ? result.problems : [];
  };
  assert.match(problems("/policy", { policy: "../x" })[0] ?? "", /one of naive, budgeted, not "\.\.\/x"/u);
  assert.match(problems("/policy", {})[0] ?? "", /not nothing/u);
  assert.equal(problems("/faults", { capacity: 0, errorRate: 2 }).length, 2);
  assert.equal(problems("/faults", { capacity: "90", errorRate: null }).length, 2);
  assert.deepEqual(problems("/trigger", null), ["the body must be a JSON object"]);
  assert.deepEqual(readChange("/policy", "{", POLICIES), { problems: ["the body must be JSON"] });
});
