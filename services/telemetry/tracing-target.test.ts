import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigError } from "../settings/known-error.ts";
import { tracesUrlOf } from "./tracing-target.ts";

const ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
const TRACES = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
const collector = "http://127.0.0.1:4318";

test("No spans are wanted until a variable asks for them, and an empty one asks for nothing", () => {
  assert.equal(tracesUrlOf({}), undefined);
  assert.equal(tracesUrlOf({ [ENDPOINT]: "", [TRACES]: " ", OTEL_TRACES_EXPORTER: "" }), undefined);
  assert.equal(tracesUrlOf({ OTEL_SERVICE_NAME: "shop" }), undefined);
});

test("The address for all signals gets the path of traces, that for traces is taken as it is and goes before", () => {
  assert.equal(tracesUrlOf({ [ENDPOINT]: collector }), `${collector}/v1/traces`);
  assert.equal(tracesUrlOf({ [ENDPOINT]: `${collector}/otlp/` }), `${collector}/otlp/v1/traces`);
  assert.equal(tracesUrlOf({ [ENDPOINT]: "http://a", [TRACES]: `${collector}/in` }), `${collector}/in`);
});

test("The exporter otlp alone means the usual address of a collector", () => {
  assert.equal(tracesUrlOf({ OTEL_TRACES_EXPORTER: "otlp" }), "http://localhost:4318/v1/traces");
});

test("Two variables switch spans off, whatever else is set", () => {
  const asked = { [ENDPOINT]: "not an address" };
  for (const off of [{ OTEL_SDK_DISABLED: "TRUE" }, { OTEL_TRACES_EXPORTER: "none" }]) {
    assert.equal(tracesUrlOf({ ...asked, ...off }), undefined);
  }
  assert.notEqual(tracesUrlOf({ [ENDPOINT]: collector, OTEL_SDK_DISABLED: "false" }), undefined);
});

test("Every fault is named at once, with its variable and what to do", () => {
  const wrong = {
    [ENDPOINT]: "localhost:4317",
    OTEL_TRACES_EXPORTER: "console",
    OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
  };
  assert.throws(
    () => tracesUrlOf(wrong),
    (error: unknown) => {
      assert.ok(error instanceof ConfigError);
      assert.equal(error.problems.length, 3);
      const [exporter = "", endpoint = "", protocol = ""] = error.problems;
      assert.match(exporter, /^OTEL_TRACES_EXPORTER must be otlp or none, not "console"/u);
      assert.match(endpoint, /^OTEL_EXPORTER_OTLP_ENDPOINT .* not "localhost:4317"; OTEL_TRACES_EXPORTER=none/u);
      assert.match(protocol, /^OTEL_EXPORTER_OTLP_PROTOCOL=grpc: .*4318/u);
      return true;
    },
  );
});
