import assert from "node:assert/strict";
import { test } from "node:test";
import type { AttemptTrace, CallTrace } from "./trace.ts";
import { treeText } from "./tree.ts";

const backend = (arrivedMs: number, how: Partial<CallTrace>): CallTrace => ({
  tier: "backend",
  arrivedMs,
  attempts: [],
  ...how,
});

const attempt = (number: number, beganMs: number, how: Partial<AttemptTrace> = {}): AttemptTrace => ({
  hop: "edge",
  number,
  beganMs,
  isCopy: false,
  ...how,
});

test("each call and attempt is a line, its times are counted from when the request was due", () => {
  const late: AttemptTrace = {
    ...attempt(1, 1000.4, { endedMs: 1200.4, outcome: "timeout", status: 504 }),
    decision: { retry: true, delayMs: 10 },
    below: backend(1000.8, { endedMs: 1200.8, outcome: "left" }),
  };
  const good: AttemptTrace = {
    ...attempt(2, 1210.4, { endedMs: 2219.2, outcome: "ok", status: 200 }),
    decision: { retry: false, reason: "success" },
    below: backend(1210.8, { endedMs: 2218.8, outcome: "ok", status: 200 }),
  };
  const root: CallTrace = {
    tier: "edge",
    arrivedMs: 1000.4,
    endedMs: 2219.2,
    outcome: "ok",
    status: 200,
    stop: "success",
    attempts: [late, good],
  };
  assert.equal(
    treeText(root, 1000),
    [
      "               begins ms  lasts ms  ends with    then",
      "edge                 0.4   1,218.8  ok 200       stop: success",
      "├─ edge#1            0.4     200.0  timeout      retry after 10.0 ms",
      "│  └─ backend        0.8     200.0  caller left",
      "└─ edge#2          210.4   1,008.8  ok 200",
      "   └─ backend      210.8   1,008.0  ok 200",
    ].join("\n"),
  );
});

test("an attempt that never got a connection, and one whose end nobody saw, are told apart", () => {
  const unsent = attempt(1, 0, { endedMs: 200, outcome: "timeout", status: 504 });
  const open = attempt(2, 210, { below: backend(210.4, {}) });
  const lines = treeText({ tier: "edge", arrivedMs: 0, attempts: [unsent, open] }, 0).split("\n");
  assert.match(lines[1] ?? "", /^edge +0\.0 +still under way$/u);
  assert.match(lines[2] ?? "", /edge#1 +0\.0 +200\.0 +timeout, never sent$/u);
  assert.match(lines[3] ?? "", /edge#2 +210\.0 +still under way$/u);
});

test("second copies and replicas are named", () => {
  const copy = attempt(2, 10, { isCopy: true, replica: 3, below: backend(10.4, {}) });
  const lines = treeText({ tier: "edge", arrivedMs: 0, attempts: [copy] }, 0).split("\n");
  assert.match(lines[2] ?? "", /^└─ edge#2 \(second copy\) /u);
  assert.match(lines[3] ?? "", /^ {3}└─ backend \(replica 3\) /u);
});
