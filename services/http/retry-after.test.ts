import assert from "node:assert/strict";
import { test } from "node:test";
import { LONGEST_RETRY_AFTER_S, retryAfterSeconds } from "./retry-after.ts";

const NOW = Date.UTC(1994, 10, 6, 8, 49, 37);

const rows: [header: string | undefined, seconds: number | undefined, because: string][] = [
  ["7", 7, "seconds are taken as they are"],
  [" 7 ", 7, "white space around them is no part of them"],
  ["0", 0, "0 asks for nothing, and says so"],
  ["999999999", LONGEST_RETRY_AFTER_S, "no callee sends a caller away for more than a day"],
  ["9".repeat(350), LONGEST_RETRY_AFTER_S, "even where the number is beyond a double"],
  ["Sun, 06 Nov 1994 08:49:40 GMT", 3, "the date of today's HTTP"],
  ["Sunday, 06-Nov-94 08:49:40 GMT", 3, "the date of RFC 850"],
  ["Sun Nov  6 08:49:40 1994", 3, "the date of asctime, which is GMT too"],
  ["Sun, 06 Nov 1994 08:49:37 GMT", 0, "a date that is now"],
  ["Sun, 06 Nov 1994 08:00:00 GMT", 0, "a date in the past"],
  ["Mon, 06 Nov 2194 08:49:37 GMT", LONGEST_RETRY_AFTER_S, "a date in two hundred years"],
  ["Sun, 42 Nov 1994 08:49:40 GMT", undefined, "a day that does not exist"],
  ["-5", undefined, "there are no negative seconds"],
  ["1.5", undefined, "nor fractions of them"],
  ["1e3", undefined, "nor powers"],
  ["soon", undefined, "words say nothing"],
  ["", undefined, "nor does an empty header"],
  [undefined, undefined, "nor its absence"],
];

for (const [header, seconds, because] of rows) {
  test(`Retry-After ${JSON.stringify(header)?.slice(0, 40) ?? "absent"} is read as ${seconds}: ${because}`, () => {
    assert.equal(
      retryAfterSeconds(header, () => NOW),
      seconds,
    );
  });
}

test("A fraction of a second that remains until a date is rounded up: nobody comes back too early", () => {
  assert.equal(
    retryAfterSeconds("Sun, 06 Nov 1994 08:49:40 GMT", () => NOW + 1),
    3,
  );
});
