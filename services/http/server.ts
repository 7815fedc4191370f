/** A listening server that can stop in good order. */
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Cancel, Clock } from "../policy/clock.ts";
import { refuse } from "./refuse.ts";
import { KnownError } from "../settings/known-error.ts";

/** Longer than a client's (client.ts), so that it is the client who closes an idle connection. */
const IDLE_CONNECTION_MS = 65_000;

/** After the last answer was handed to the sockets, the time that they have to be read, in milliseconds. */
const FLUSH_MS = 250;

export interface Listening {
  readonly port: number;
  /**
   * Accepts nothing new, lets what is in flight finish for at most `graceMs`, refuses the rest with 503 and closes all
   * connections. `done` is called once, when none is left.
   */
  stop(graceMs: number, done: () => void): void;
}

/** A server could not listen; the message is for a person. */
export class ListenError extends KnownError {}

/** What a person is told of why it cannot listen. */
export function listenProblem(error: NodeJS.ErrnoException, host: string, port: number): ListenError {
  const causes: Record<string, string> = {
    EADDRINUSE:
      port === 0
        ? `${host} has no free port left: end what holds so many.`
        : `PORT=${port} is taken on ${host}: stop what listens there, or choose another PORT (0 picks a free one).`,
    EACCES: `PORT=${port} may not be used on ${host} by this user: choose a PORT above 1023 (0 picks a free one).`,
    EADDRNOTAVAIL: `HOST=${host} is not an address of this machine: use 127.0.0.1, or 0.0.0.0 for all of its addresses.`,
    ENOTFOUND: `HOST=${host} is not a known name: use 127.0.0.1, or 0.0.0.0 for all addresses of this machine.`,
  };
  const other = `HOST=${host} PORT=${port}: cannot listen: ${error.message}`;
  return new ListenError(causes[error.code ?? ""] ?? other, { cause: error });
}

/** By its connection, each answer that is not finished. */
type Open = ReadonlyMap<Socket, ReadonlySet<ServerResponse>>;

function trackOpen(server: Server): Open {
  const open = new Map<Socket, Set<ServerResponse>>();
  server.on("connection", (socket) => {
    open.set(socket, new Set());
    socket.on("close", () => open.delete(socket));
  });
  server.on("request", (req, res) => {
    const answers = open.get(req.socket);
    answers?.add(res);
    res.on("close", () => answers?.delete(res));
  });
  return open;
}

const answersOf = (open: Open): ServerResponse[] => [...open.values()].flatMap((answers) => [...answers]);

/** Node itself takes a connection that has not asked anything yet for busy, and would wait for it. */
function closeIdle(open: Open): void {
  for (const [socket, answers] of open) if (answers.size === 0) socket.destroy();
}

function stopServer(server: Server, open: Open, clock: Clock, graceMs: number, done: () => void): void {
  let cancelFlush: Cancel = () => {};
  const cancelGrace = clock.after(graceMs, () => {
    for (const res of answersOf(open)) refuse(res);
    cancelFlush = clock.after(FLUSH_MS, () => server.closeAllConnections());
  });
  server.close(() => {
    cancelGrace();
    cancelFlush();
    done();
  });
  closeIdle(open);
  // A kept-alive connection that is busy now would otherwise stay open, idle, after its answer.
  for (const res of answersOf(open)) if (!res.headersSent) res.setHeader("connection", "close");
}

/** @param port 0 picks a free one. Rejects with a `ListenError`. */
export function listen(app: RequestListener, host: string, port: number, clock: Clock): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: IDLE_CONNECTION_MS }, app);
  const open = trackOpen(server);
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(listenProblem(error, host, port)));
    server.listen(port, host, () => {
      const address = server.address() as AddressInfo;
      resolve({
        port: address.port,
        stop: (graceMs, done) => stopServer(server, open, clock, graceMs, done),
      });
    });
  });
}
