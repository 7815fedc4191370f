import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { composeTiers } from "./tiers.ts";

interface Tiers {
  services: Record<string, { environment: Record<string, string | null>; command?: string[]; cap_drop?: string[] }>;
}

test("A third tier gets a service of its own, as confined as the others, and each tier calls the next", () => {
  const { services } = composeTiers({ TIERS: "gateway,edge,api" }) as Tiers;
  assert.deepEqual(services["gateway"]?.command, ["node", "dist/services/hop/main.js", "gateway"]);
  assert.deepEqual(services["gateway"]?.cap_drop, ["ALL"]);
  assert.equal(services["gateway"]?.environment["UPSTREAM_URL"], "http://edge:8080");
  assert.equal(services["edge"]?.environment["UPSTREAM_URL"], "http://api:8080");
  assert.equal(services["api"]?.environment["UPSTREAM_URL"], "http://backend:8080");
  assert.equal(
    services["load"]?.environment["CHAIN"],
    "gateway=http://gateway:8080,edge=http://edge:8080,api=http://api:8080,backend=http://backend:8080",
  );
});

test("Where a tier is left out, the one above it calls the one below", () => {
  const { services } = composeTiers({ TIERS: "edge" }) as Tiers;
  assert.equal(services["edge"]?.environment["UPSTREAM_URL"], "http://backend:8080");
  assert.equal(services["api"], undefined);
});

test("Where spans go is handed on to a tier of its own as compose.yaml hands it on to the others", () => {
  const { services } = composeTiers({ TIERS: "gateway,edge,api" }) as Tiers;
  const handedOn = Object.entries(services["gateway"]?.environment ?? {}).filter(([, value]) => value === null);
  const text = readFileSync(new URL("../../../compose.yaml", import.meta.url), "utf8");
  const inFile = [...text.matchAll(/^ {2}(OTEL_\w+):$/gmu)].map(([, name]) => name);
  assert.ok(inFile.includes("OTEL_EXPORTER_OTLP_ENDPOINT"));
  assert.deepEqual(
    handedOn.map(([name]) => name),
    inFile,
  );
});
