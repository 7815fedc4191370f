import assert from "node:assert/strict";
import { test } from "node:test";
import { chainProblems, storeProblems, urlProblems, withoutSecrets } from "./addresses.ts";
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
