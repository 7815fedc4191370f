/** The doors of HTTP: the services and the live page, over bare connections, which send what no client library would. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import fc from "fast-check";
import { createBackendApp } from "../../../services/backend/app.ts";
import { backendConfigOf } from "../../../services/backend/config.ts";
import { FAULTS } from "../../../services/contract/faults.ts";
import { createHopApp } from "../../../services/hop/app.ts";
import { retryPolicyOf } from "../../../services/hop/config.ts";
import { listen, type Listening } from "../../../services/http/server.ts";
import { realClock } from "../../../services/real-time/clock.ts";
import { readValues } from "../../../services/settings/values.ts";
import { createLog } from "../../../services/telemetry/log.ts";
import { serveLive } from "../../live/server.ts";
import type { Door, Property } from "./door.ts";
import { anyText, someSettings } from "./words.ts";

/** Far beyond what any of these answers takes: whoever says nothing for so long has hung. */
const HUNG_MS = 20_000;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  /** Bytes that the request says to have, more or fewer than it has. */
  readonly surplus: number;
  /** How the caller ends: reads the answer, or breaks off. */
  readonly ends: "reads" | "destroy" | "resetAndDestroy";
}

const faults = fc.dictionary(
  fc.oneof(fc.constantFrom(...FAULTS.map(({ key }) => key)), anyText),
  fc.oneof(fc.double(), fc.jsonValue()),
);
const body = fc.oneof(
  someSettings.map((settings) => JSON.stringify(settings)),
  faults.map((one) => JSON.stringify(one)),
  fc
    .record({ seed: fc.oneof(fc.nat(), fc.jsonValue()), run: fc.oneof(anyText, fc.jsonValue()) })
    .map((one) => JSON.stringify(one)),
  fc.constantFrom('{"policy":"naive"}', '{"policy":"constructor"}', '{"capacity":100,"errorRate":0}', "[[[[", "null"),
  fc.json(),
  anyText,
);
const header = fc.tuple(
  fc.constantFrom(
    "content-type",
    "content-encoding",
    "x-lab-tied",
    "x-lab-replica",
    "traceparent",
    "idempotency-key",
    "x-envoy-attempt-count",
    "x-envoy-expected-rq-timeout-ms",
    "expect",
    "origin",
    "host",
    "connection",
    "__proto__",
  ),
  fc.oneof(
    fc.constantFrom(
      "application/json",
      "text/plain; charset=x",
      "gzip",
      "br",
      "1",
      "-1",
      "99999999",
      "100-continue",
      "close",
      "null",
    ),
    fc.string({ maxLength: 30 }).map((text) => text.replace(/[^ -~]/gu, "")),
  ),
);
const request = (paths: readonly string[]): fc.Arbitrary<Sent> =>
  fc.record({
    method: fc.constantFrom("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"),
    path: fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...paths) },
      { weight: 1, arbitrary: fc.webPath({ size: "small" }).map((path) => `/orders${path}`) },
      { weight: 1, arbitrary: fc.constantFrom("/%", "//", "/orders/%00", "/__proto__", "*", "/?a[b]=c") },
    ),
    headers: fc.array(header, { maxLength: 4 }),
    body,
    surplus: fc.constantFrom(0, 0, 0, 5, -1),
    ends: fc.constantFrom("reads", "reads", "destroy", "resetAndDestroy"),
  });

function textOf({ method, path, headers, body: text, surplus }: Sent, port: number): string {
  const given = new Map<string, string>([
    ["host", `127.0.0.1:${port}`],
    ["content-type", "application/json"],
    ["connection", "close"],
    ...headers,
    ["content-length", String(Math.max(0, Buffer.byteLength(text) + surplus))],
  ]);
  const lines = [...given].map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path} HTTP/1.1`, ...lines, "", text].join("\r\n");
}

/** The statuses of what came back. Rejects where nothing came, and the connection stayed. */
function exchange(port: number, sent: Sent): Promise<number[]> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1");
    socket.setTimeout(HUNG_MS, () => {
      socket.destroy();
      reject(new Error("neither an answer nor an end"));
    });
    socket.on("error", () => {});
    socket.on("data", (chunk) => (answer += chunk.toString("latin1")));
    socket.on("close", () => resolve([...answer.matchAll(/^HTTP\/1\.1 (\d+)/gmu)].map(([, status]) => Number(status))));
    socket.write(textOf(sent, port), () => {
      // An order may take as long as it takes: its caller is one who leaves.
      if (sent.ends === "reads" && !sent.path.startsWith("/orders")) socket.end();
      else socket[sent.ends === "reads" ? "destroy" : sent.ends]();
    });
  });
}

/** Whatever is sent: no 500, nothing broke, and `alive` is answered as before. */
function answersAll(
  port: number,
  paths: readonly string[],
  headers: Sent["headers"],
  broken: readonly string[],
): Property {
  const alive = { method: "GET", path: paths[0] ?? "/", headers: [], body: "", surplus: 0, ends: "reads" } as const;
  return fc.asyncProperty(fc.array(request(paths), { minLength: 1, maxLength: 4 }), async (all) => {
    const answers = await Promise.all(
      all.map((one) => exchange(port, { ...one, headers: [...headers, ...one.headers] })),
    );
    assert.ok(!answers.flat().includes(500), "500");
    assert.deepEqual(broken, []);
    assert.deepEqual(await exchange(port, alive), [200]);
  });
}

/** A log of which the errors are kept. */
function errorsOf(name: string): { log: ReturnType<typeof createLog>; broken: string[] } {
  const broken: string[] = [];
  return { broken, log: createLog(name, "error", { write: (text) => void broken.push(text) }) };
}

const stopped = (server: Listening): Promise<void> => new Promise((resolve) => server.stop(0, resolve));

const ADMINISTRATION = ["/healthz", "/stats", "/metrics", "/run", "/policy", "/faults", "/orders/a"];
const common = { seed: 1, clock: realClock, isStopping: () => false };

const backend: Door = {
  name: "HTTP of the backend",
  open: async (closing) => {
    const { log, broken } = errorsOf("backend");
    const config = backendConfigOf(readValues({}));
    const { app, close } = createBackendApp({ name: "backend", config, log, ...common });
    const server = await listen(app, "127.0.0.1", 0, realClock);
    closing(() => stopped(server).then(close));
    return answersAll(server.port, ADMINISTRATION, [], broken);
  },
};

const hop: Door = {
  name: "HTTP of a hop",
  open: async (closing) => {
    const { log, broken } = errorsOf("edge");
    const upstream = await listen((_req, res) => void res.end("{}"), "127.0.0.1", 0, realClock);
    const policy = retryPolicyOf(readValues({}), "edge");
    const upstreamUrl = `http://127.0.0.1:${upstream.port}`;
    const { app, close } = createHopApp({ name: "edge", policy, upstreamUrl, upstreamConnections: 8, log, ...common });
    const server = await listen(app, "127.0.0.1", 0, realClock);
    closing(() =>
      stopped(server)
        .then(close)
        .then(() => stopped(upstream)),
    );
    return answersAll(server.port, ADMINISTRATION, [], broken);
  },
};

const live: Door = {
  name: "HTTP of the live page",
  open: async (closing) => {
    const change = (): Promise<void> => Promise.resolve();
    const page = await serveLive({ page: () => "<!doctype html>", policies: ["naive"], change }, 0);
    closing(() => page.close());
    const { port, origin } = new URL(page.url);
    return answersAll(Number(port), ["/", "/policy", "/faults", "/trigger"], [["origin", origin]], []);
  },
};

export const HTTP_DOORS: readonly Door[] = [backend, hop, live];
