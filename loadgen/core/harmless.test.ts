/** The derivation in docs/invalid.md, on a queue whose arrivals are held up. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { harmlessMs } from "./harmless.ts";

test("The smallest yardstick decides, and against nothing nothing is small", () => {
  const all = { shortestTimeoutMs: 200, p50Ms: 1900, loadedS: 8 };
  assert.equal(harmlessMs(all), 20);
  assert.equal(harmlessMs({ ...all, shortestTimeoutMs: Infinity }), 80);
  assert.equal(harmlessMs({ ...all, p50Ms: 100 }), 10);
  assert.equal(harmlessMs({ ...all, p50Ms: null }), 0);
});

/** When each request is answered that comes at `arrivals`, in order, at a server that needs `services` for them. */
function answersAt(arrivals: readonly number[], services: readonly number[]): number[] {
  let free = 0;
  return arrivals.map((at, i) => (free = Math.max(at, free) + (services[i] ?? 0)));
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length / 2) - 1] ?? 0;

test("Requests held up by d ms or less are answered d later at most, move the median by d at most, and fail only within d of a timeout", () => {
  const ms = (max: number) => fc.double({ min: 0, max, noNaN: true });
  const request = fc.record({ gap: ms(50), service: ms(60), held: ms(1) });
  fc.assert(
    fc.property(fc.array(request, { minLength: 1, maxLength: 200 }), ms(40), ms(500), (requests, d, timeout) => {
      let [dueAt, sentAt] = [0, 0];
      const due = requests.map(({ gap }) => (dueAt += gap));
      // The generator keeps the order.
      const sent = requests.map(({ held }, i) => (sentAt = Math.max(sentAt, due[i]! + held * d)));
      const services = requests.map(({ service }) => service);
      const [planned, real] = [due, sent].map((at) => answersAt(at, services).map((end, i) => end - due[i]!));
      assert.ok(planned && real);
      const rounding = 1e-6;
      planned.forEach((latency, i) => {
        const later = real[i]! - latency;
        assert.ok(later >= -rounding && later <= d + rounding, `${later} ms later`);
        const isFlipped = latency <= timeout && real[i]! > timeout;
        assert.ok(!isFlipped || latency > timeout - d - rounding);
      });
      assert.ok(Math.abs(median(real) - median(planned)) <= d + rounding);
    }),
    { numRuns: 500 },
  );
});
