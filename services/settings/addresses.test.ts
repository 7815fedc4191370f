import assert from "node:assert/strict";
import { test } from "node:test";
import { addressShown, chainProblems, storeProblems, urlProblems, withoutSecrets } from "./addresses.ts";
import { forTerminal } from "./known-error.ts";
import { ConfigError, readValues } from "./values.ts";

const SECRET = "hunter2";
const HOLDERS = [
  `me:${SECRET}@h:1`,
  `:${SECRET}@h`,
  `${SECRET}@h`,
  `h:1?password=${SECRET}`,
  `h:1/?a=b&c=${SECRET}`,
  `h#${SECRET}`,
];

test("An address with a user, a password or a query is refused wherever one is set, and the message hides it", () => {
  for (const holder of HOLDERS) {
    assert.notDeepEqual(storeProblems(`redis://${holder}`), [], holder);
    assert.notDeepEqual(urlProblems(`http://h:1,http://${holder}`), [], holder);
    assert.notDeepEqual(chainProblems(`edge=http://${holder},backend=http://h:2`), [], holder);
    const settings = {
      BUDGET_STORE_URL: `redis://${holder}`,
      UPSTREAM_URL: `http://${holder}`,
      CHAIN: `edge=http://${holder},backend=ftp://${holder}`,
    };
    assert.throws(
      () => readValues(settings),
      (error: unknown) => error instanceof ConfigError && error.problems.length >= 3 && !error.message.includes(SECRET),
      holder,
    );
  }
});

const ODD = [
  `redis://u:${SECRET}/w@h`,
  `redis://u:${SECRET}?w@h`,
  `redis://u:a@${SECRET}@h`,
  `redis://u:a,b=${SECRET}@h`,
  `me:${SECRET}@h`,
  `me:${SECRET}=w@h`,
  `edge=me:a=b,${SECRET}=w@h`,
  `h?password=${SECRET}`,
  `redis://u:${SECRET}${"x".repeat(2000)}@h`,
];

test("A password with odd characters, a very long one and one without a scheme are hidden, too", () => {
  for (const odd of ODD)
    for (const name of ["BUDGET_STORE_URL", "UPSTREAM_URL", "CHAIN"]) {
      assert.throws(
        () => readValues({ [name]: odd }),
        (error: unknown) =>
          error instanceof ConfigError && error.message.includes(`${name}=`) && !error.message.includes(SECRET),
        `${name}: ${odd.slice(0, 60)}`,
      );
    }
  assert.equal(addressShown("http://h:1/path,http://i:2"), "http://h:1/path,http://i:2");
  assert.equal(addressShown("redis://u:p/w@h:1"), "redis://…@h:1");
});

test("Plain addresses, several of them, and the number of a database are fine", () => {
  for (const url of ["redis://h", "redis://h/", "redis://h:6379/7", "rediss://[::1]:6379"]) {
    assert.deepEqual(storeProblems(url), [], url);
  }
  assert.deepEqual(urlProblems("http://127.0.0.1:80,https://edge:8080/base"), []);
});

test("What hides secrets leaves an address without any as it is", () => {
  for (const text of ["", "http://h:1/path", "a@b", "at 5s capacity 90?", "edge=http://h:1,api=http://h:2"]) {
    assert.equal(withoutSecrets(text), text);
  }
  assert.equal(withoutSecrets("a=http://u:p@h:1,b=http://h?x=y"), "a=http://…@h:1,b=http://h?…");
});

test("What would steer a terminal is written out, and lines stay lines", () => {
  assert.equal(forTerminal("a\u001b[2Jb\u009bc\r\n\td"), "a\\x1b[2Jb\\x9bc\\x0d\n\td");
});
