/** Callers over a bare connection, who send what no client library would, and leave before they are answered. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import express from "express";
import { VirtualClock } from "../virtual-time/clock.ts";
import { addOrderRoutes } from "./routes.ts";
import { listen } from "./server.ts";
import { promised, serve } from "./testdata/http.ts";

interface Held {
  readonly url: string;
  /** Kept once `calls` have arrived. */
  readonly arrived: Promise<void>;
  /** Kept once as many callers have left. */
  readonly left: Promise<void>;
}

/** Orders that are never answered. */
async function held(t: TestContext, calls: number): Promise<Held> {
  const app = express();
  const [arrived, left] = [promised(), promised()];
  let [here, gone] = [0, 0];
  addOrderRoutes<never>(app, {
    isStopping: () => false,
    answer: () => {},
    handle: () => {
      if (++here === calls) arrived.keep();
      return () => {
        if (++gone === calls) left.keep();
      };
    },
  });
  return { url: await serve(t, app), arrived: arrived.promise, left: left.promise };
}

async function connected(t: TestContext, url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => {});
  t.after(() => socket.destroy());
  await once(socket, "connect");
  return socket;
}

const orderOf = (method: string, id: string, ...headers: string[]): string =>
  [`${method} /orders/${id} HTTP/1.1`, "host: x", ...headers, "", ""].join("\r\n");

for (const method of ["GET", "POST"]) {
  test(`A ${method} with half of its body is known to have left when it has`, async (t) => {
    const { url, arrived, left } = await held(t, 1);
    const socket = await connected(t, url);
    socket.write(`${orderOf(method, "a", "content-length: 1000000")}${"x".repeat(200_000)}`);
    await arrived;
    socket.destroy();
    await left;
  });
}

test("Of requests that were sent one behind the other, each is known to have left", async (t) => {
  const calls = 30;
  const { url, arrived, left } = await held(t, calls);
  const socket = await connected(t, url);
  socket.write(Array.from({ length: calls }, (_, n) => orderOf("GET", `o${n}`)).join(""));
  await arrived;
  socket.resetAndDestroy();
  await left;
});

test("A server stops although callers left who had sent one request behind the other", async (t) => {
  const clock = new VirtualClock();
  const [arrived, gone] = [promised(), promised()];
  let here = 0;
  const server = await listen(
    ({ socket }) => {
      if (++here === 3) arrived.keep();
      socket.once("close", () => gone.keep());
    },
    "127.0.0.1",
    0,
    clock,
  );
  const socket = await connected(t, `http://127.0.0.1:${server.port}`);
  socket.write(["a", "b", "c"].map((id) => orderOf("GET", id)).join(""));
  await arrived.promise;
  socket.destroy();
  await gone.promise;
  await new Promise<void>((resolve) => server.stop(5000, resolve));
});
