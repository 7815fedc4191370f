import assert from "node:assert/strict";
import { test } from "node:test";
import { adminRefusal } from "./guard.ts";

const trusted = [
  "127.0.0.1",
  "127.0.0.1:8080",
  "[::1]:8080",
  "[::1]",
  "10.0.3.4:80",
  "localhost",
  "LOCALHOST:9",
  "edge:8080",
  "backend-1",
];
const refused = [
  "evil.example",
  "evil.example:8080",
  "127.0.0.1.evil.example",
  "localhost.",
  "",
  "[evil]",
  "a b",
  "[::1].x",
  "1.2.3",
];

for (const host of trusted) {
  test(`The administration may be asked as ${host}`, () => {
    assert.equal(adminRefusal({ host }), undefined);
  });
}

for (const host of refused) {
  test(`The administration may not be asked as ${JSON.stringify(host)}, which could be a rebound name`, () => {
    assert.match(adminRefusal({ host }) ?? "", /neither an IP address nor a name without a dot/);
  });
}

test("No web page may use the administration, not even one from this machine", () => {
  assert.match(adminRefusal({ host: "127.0.0.1", origin: "http://127.0.0.1" }) ?? "", /Origin/);
  assert.match(adminRefusal({ host: "127.0.0.1", origin: "null" }) ?? "", /Origin/);
});

test("A refusal quotes no more than a part of an endless Host", () => {
  assert.ok((adminRefusal({ host: "x.".repeat(5000) }) ?? "").length < 300);
});
