import assert from "node:assert/strict";
import { test } from "node:test";
import { pageRefusal } from "./guard.ts";

const ask = (method: string, host: string | undefined, origin?: string): string | undefined =>
  pageRefusal(
    {
      method,
      headers: { ...(host === undefined ? {} : { host }), ...(origin === undefined ? {} : { origin }) },
    },
    8080,
  );

test("The page itself may read and change", () => {
  assert.equal(ask("GET", "127.0.0.1:8080"), undefined);
  assert.equal(ask("POST", "127.0.0.1:8080", "http://127.0.0.1:8080"), undefined);
  assert.equal(ask("POST", "localhost:8080", "http://localhost:8080"), undefined);
});

test("Another host, another port or none is refused: a name can be made to stand for loopback", () => {
  for (const host of [
    "evil.example:8080",
    "127.0.0.1:8081",
    "127.0.0.1",
    "localhost",
    "127.0.0.1:8080.evil.example",
    undefined,
  ]) {
    assert.match(ask("GET", host) ?? "", /served as 127\.0\.0\.1:8080 alone/u, host);
  }
});

test("Another origin is refused, even for reading; the same machine's other name is another origin", () => {
  for (const origin of [
    "http://evil.example",
    "null",
    "https://127.0.0.1:8080",
    "http://127.0.0.1:9999",
    "http://localhost:8080",
  ]) {
    assert.match(ask("GET", "127.0.0.1:8080", origin) ?? "", /other pages/u, origin);
    assert.match(ask("POST", "127.0.0.1:8080", origin) ?? "", /other pages/u, origin);
  }
});

test("A change without an Origin is refused", () => {
  assert.match(ask("POST", "127.0.0.1:8080") ?? "", /with its Origin/u);
});
