/**
 * A Redis for one run of the process world: loopback, a free port, in memory, nothing on the disk.
 *
 * redis-server knows nothing of the lab, so a shell stands beside it that reads from a pipe which the lab holds open: when
 * the lab goes away, however it does, the pipe closes and the shell ends the store.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createConnection, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const LISTENS_WITHIN_MS = 5000;
const LOOK_EVERY_MS = 20;
/** Between the choice of a free port and its use, another program may take it. */
const TRIES = 3;

const BESIDE = `command -v "$1" >/dev/null || exit; "$@" >/dev/null & store=$!; echo "$store"; read -r _; kill -CONT "$store" 2>/dev/null; kill -KILL "$store" 2>/dev/null; wait "$store"`;

export interface RedisProcess {
  readonly url: string;
  /** Of redis-server itself. */
  readonly pid: number;
  /** Resolves when it is gone. */
  stop(): Promise<void>;
  /** Lets it end by itself; it does so also when this process ends. */
  killNow(): void;
}

/** redis-server is missing or does not start; the message is for a person. */
export class BudgetStoreError extends Error {}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: "127.0.0.1" });
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once("connect", () => end(true)).once("error", () => end(false));
  });
}

async function listens(port: number, hasEnded: () => boolean): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < LISTENS_WITHIN_MS && !hasEnded(); waitedMs += LOOK_EVERY_MS) {
    if (await answers(port)) return true;
    await sleep(LOOK_EVERY_MS);
  }
  return false;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** What it printed first; empty where it ended without a word. */
async function firstWords(child: ChildProcess): Promise<string> {
  for await (const chunk of child.stdout ?? []) return String(chunk).trim();
  return "";
}

async function tryStart(ambient: Readonly<Record<string, string>>): Promise<RedisProcess | undefined> {
  const [port, folder] = [await freePort(), mkdtempSync(join(tmpdir(), "lab-redis-"))];
  const server = ["redis-server", "--port", String(port), "--bind", "127.0.0.1", "--dir", folder];
  const words = [...server, "--save", "", "--appendonly", "no", "--daemonize", "no"];
  // A session of its own: a Ctrl-C at the terminal reaches the lab alone.
  const stdio = ["pipe", "pipe", "ignore"] as const;
  const child = spawn("sh", ["-c", BESIDE, "sh", ...words], {
    env: ambient,
    stdio: [...stdio],
    detached: true,
  });
  const ended = once(child, "close");
  const pid = Number(await firstWords(child));
  const stop = async (): Promise<void> => {
    child.stdin?.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  if (pid === 0 || !(await listens(port, () => !isAlive(pid)))) {
    await stop();
    return undefined;
  }
  return { url: `redis://127.0.0.1:${port}`, pid, stop, killNow: () => void child.stdin?.end() };
}

/** @param ambient what a program needs from its surroundings, such as PATH @throws BudgetStoreError */
export async function startBudgetStore(ambient: Readonly<Record<string, string>>): Promise<RedisProcess> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const store = await tryStart(ambient);
    if (store !== undefined) return store;
  }
  throw new BudgetStoreError(
    "BUDGET_SCOPE=fleet needs a Redis, and redis-server did not start. Install it (Debian: apt-get install redis-server), or name one that runs: BUDGET_STORE_URL=redis://127.0.0.1:6379",
  );
}
