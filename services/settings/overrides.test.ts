import assert from "node:assert/strict";
import { test } from "node:test";
import { splitOverrides, surroundings } from "./overrides.ts";

test("Names of the command line are explicit, the rest of the environment is not", () => {
  const { explicit, ambient } = splitOverrides({
    LAB_OVERRIDES: "RATE FAULT_TIMELINE",
    RATE: "90",
    FAULT_TIMELINE: "at 5s capacity 90; at 15s capacity 200",
    PATH: "/bin",
  });
  assert.deepEqual(explicit, { RATE: "90", FAULT_TIMELINE: "at 5s capacity 90; at 15s capacity 200" });
  assert.deepEqual(ambient, { PATH: "/bin" });
});

test("Without a command line everything is ambient", () => {
  assert.deepEqual(splitOverrides({ RATE: "90" }), { explicit: {}, ambient: { RATE: "90" } });
});

test("A name whose value was kept back is typed all the same, so that it is refused, and its namesake's value is nobody's", () => {
  const { explicit, ambient } = splitOverrides({ LAB_OVERRIDES: "verb PATH", PATH: "/bin" });
  assert.deepEqual([Object.keys(explicit), ambient], [["verb", "PATH"], {}]);
});

test("What says where spans go reaches the programs, and is no setting of the run even on the command line", () => {
  const environment = { LAB_OVERRIDES: "OTEL_SERVICE_NAME RATE", OTEL_SERVICE_NAME: "shop", RATE: "90" };
  assert.deepEqual(splitOverrides(environment), {
    explicit: { RATE: "90" },
    ambient: { OTEL_SERVICE_NAME: "shop" },
  });
  assert.deepEqual(surroundings(environment), { OTEL_SERVICE_NAME: "shop" });
});

test("A program is not handed the secrets of the shell that started it", () => {
  assert.deepEqual(surroundings({ PATH: "/bin", AWS_SECRET_ACCESS_KEY: "x", NO_COLOR: "1" }), {
    PATH: "/bin",
    NO_COLOR: "1",
  });
});
