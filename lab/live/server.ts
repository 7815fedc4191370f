/** The live page's own small server: the page, its stream of states, and its controls. Loopback only. */
import type { ServerResponse } from "node:http";
import { addLastResorts, createApp, guard, readText } from "../../services/http/app.ts";
import { sendProblem } from "../../services/http/problem.ts";
import { listen, ListenError, type Listening } from "../../services/http/server.ts";
import { realClock } from "../../services/real-time/clock.ts";
import { messageOf } from "../../services/settings/known-error.ts";
import { pageRefusal } from "./guard.ts";
import { CHANGES, readChange, type Change } from "./request.ts";

/** Pages that may look on at the same time. */
const MOST_PAGES = 20;
const LARGEST_BODY = 4096;

export interface LiveServerParts {
  /** The whole page. */
  readonly page: () => string;
  readonly policies: readonly string[];
  /** Does what a control asks for; rejects with a message for a person. */
  readonly change: (change: Change) => Promise<void>;
}

export interface LiveServer {
  readonly url: string;
  /** Sends a state to every page that looks on. */
  send(state: unknown): void;
  close(): Promise<void>;
}

const COMMON = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** The pages that look on, each an open answer. */
class Stream {
  private readonly open = new Set<ServerResponse>();

  isFull(): boolean {
    return this.open.size >= MOST_PAGES;
  }

  add(res: ServerResponse): void {
    res.writeHead(200, { "content-type": "text/event-stream" });
    res.flushHeaders();
    this.open.add(res);
    res.on("close", () => this.open.delete(res));
  }

  send(state: unknown): void {
    const text = `data: ${JSON.stringify(state)}\n\n`;
    for (const res of this.open) {
      // A page that has not read the last state yet gets a later one: nothing piles up for it.
      if (!res.writableNeedDrain) res.write(text);
    }
  }

  close(): void {
    for (const res of this.open) res.end();
  }
}

function appOf({ page, policies, change }: LiveServerParts, stream: Stream) {
  const app = createApp();
  // A control is asked for by its very name.
  app.enable("case sensitive routing");
  app.enable("strict routing");
  app.use((_req, res, next) => {
    res.set(COMMON);
    next();
  });
  app.use(guard((req) => pageRefusal(req, req.socket.localPort ?? 0)));
  app.get("/", (_req, res) => void res.type("html").send(page()));
  app.get("/events", (_req, res) => {
    if (stream.isFull()) sendProblem(res, 503, `${MOST_PAGES} pages look on already`);
    else stream.add(res);
  });
  app.post([...CHANGES], readText(LARGEST_BODY), async (req, res) => {
    const read = readChange(req.path, String(req.body ?? ""), policies);
    if ("problems" in read) return void res.status(400).json(read);
    try {
      await change(read.change);
      res.json({});
    } catch (error) {
      res.status(502).json({ problems: [messageOf(error)] });
    }
  });
  addLastResorts(app, (error) => console.error(`a request broke the live page's server: ${String(error)}`));
  return app;
}

async function listenOnLoopback(app: Parameters<typeof listen>[0], port: number): Promise<Listening> {
  try {
    return await listen(app, "127.0.0.1", port, realClock);
  } catch (error) {
    if (port === 0) throw error;
    const why = messageOf((error as Error).cause);
    throw new ListenError(`--port ${port}: cannot listen: ${why}. Choose another (0 picks a free one).`);
  }
}

/**
 * Listens on loopback. Rejects with a `ListenError` when the port cannot be had.
 * @param port 0 picks a free one
 */
export async function serveLive(parts: LiveServerParts, port: number): Promise<LiveServer> {
  const stream = new Stream();
  const server = await listenOnLoopback(appOf(parts, stream), port);
  return {
    url: `http://127.0.0.1:${server.port}/`,
    send: (state) => stream.send(state),
    close() {
      stream.close();
      return new Promise((resolve) => server.stop(0, resolve));
    },
  };
}
