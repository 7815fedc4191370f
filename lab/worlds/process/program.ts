/**
 * One program of the lab as a child process.
 *
 * It is the leader of a process group of its own, so that a Ctrl-C at the terminal reaches the lab alone, which then ends
 * its programs in good order. A service also ends when its channel to the lab closes, so that even a lab that is killed
 * leaves nothing behind.
 */
import { execa } from "execa";
import { nodeArguments } from "../../../services/real-time/node-arguments.ts";
import { createTail } from "./tail.ts";

/** A service has 5 s to finish what is in flight (services/http/service.ts); after this it is killed. */
const KILL_AFTER_MS = 7000;

/** A service that has not said its port by then will not. In milliseconds. */
const START_WITHIN_MS = 15_000;

export interface ProgramCall {
  /** What messages call it. */
  readonly name: string;
  /** Path of its main file within the project, without its ending: "services/edge/main". */
  readonly main: string;
  readonly args?: readonly string[];
  /** The whole environment: nothing else is handed on. */
  readonly env: Readonly<Record<string, string>>;
  /** True where its output on stdout is of no use to the user: an experiment reads what it left on the disk. */
  readonly quiet?: boolean | undefined;
}

/** How a program ended; `lines` are the last that it printed, where they were not shown anyway. */
export interface Ended {
  readonly name: string;
  readonly code: number | undefined;
  readonly signal: string | undefined;
  readonly lines: readonly string[];
}

export interface Program {
  readonly name: string;
  readonly pid: number;
  /** Never rejects. */
  readonly ended: Promise<Ended>;
  /** Asks it to end, kills it after 7 s, and resolves when it is gone. */
  stop(): Promise<void>;
  killNow(): void;
}

export interface ServiceProgram extends Program {
  /** The port that it listens on; rejects when it ends or keeps silent instead. */
  readonly port: Promise<number>;
}

function saidSoFar(lines: readonly string[]): string {
  const said = lines.length === 0 ? ["  (it printed nothing)"] : lines.map((line) => `  ${line}`);
  return [" Its last lines:", ...said].join("\n");
}

/** "edge ended by itself (exit code 1)", and its last lines. For a person. */
export function describeEnd({ name, code, signal, lines }: Ended): string {
  const how = signal === undefined ? `exit code ${code ?? "unknown"}` : `signal ${signal}`;
  return `${name} ended by itself (${how}).${saidSoFar(lines)}`;
}

/** A program of the chain ended that should have gone on. */
export class ProgramDied extends Error {
  constructor(ended: Ended) {
    super(describeEnd(ended));
  }
}

const common = {
  extendEnv: false,
  stdin: "ignore",
  buffer: false,
  reject: false,
  detached: true,
  cleanup: false,
  forceKillAfterDelay: KILL_AFTER_MS,
} as const;

/** What is used of an execa subprocess; its own type names every option that it was made with. */
interface Child extends PromiseLike<{
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
}> {
  readonly pid?: number | undefined;
  kill(signal: "SIGTERM" | "SIGKILL"): boolean;
}

interface Speaking {
  once(event: "message", listener: (message: unknown) => void): unknown;
}

function programOf(name: string, child: Child, lines: () => readonly string[]): Program {
  let gone = false;
  const ended = Promise.resolve(child).then(
    (result): Ended => {
      gone = true;
      return { name, code: result.exitCode, signal: result.signal, lines: lines() };
    },
    (error: unknown): Ended => {
      gone = true;
      return { name, code: undefined, signal: undefined, lines: [String(error)] };
    },
  );
  return {
    name,
    pid: child.pid ?? 0,
    ended,
    stop: async () => {
      if (!gone) child.kill("SIGTERM");
      await ended;
    },
    killNow: () => {
      if (!gone) child.kill("SIGKILL");
    },
  };
}

/** Starts a program that talks to the user: what it prints is not held back. It hears of the lab's end, too. */
export function startProgram({ name, main, args = [], env, quiet }: ProgramCall): Program {
  const child = execa(process.execPath, [...nodeArguments(main), ...args], {
    ...common,
    env,
    ipc: true,
    serialization: "json",
    stdout: quiet === true ? "ignore" : "inherit",
    stderr: "inherit",
  });
  return programOf(name, child, () => []);
}

/** The port that a service says it listens on. `lines` are what it has printed so far. */
export function portOf(
  name: string,
  child: Speaking,
  ended: Promise<Ended>,
  lines: () => readonly string[],
): Promise<number> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      const waited = `${name} did not listen within ${START_WITHIN_MS / 1000} s. This machine may be too busy.`;
      reject(new Error(`${waited}${saidSoFar(lines())}`));
    }, START_WITHIN_MS);
    late.unref();
    child.once("message", (message: unknown) => {
      clearTimeout(late);
      resolve((message as { port: number }).port);
    });
    void ended.then((end) => {
      clearTimeout(late);
      reject(new ProgramDied(end));
    });
  });
}

/**
 * Starts a service. `echo` gets all that it prints, too.
 */
export function startService(
  { name, main, args = [], env }: ProgramCall,
  echo?: (text: string) => void,
): ServiceProgram {
  const child = execa(process.execPath, [...nodeArguments(main), ...args], {
    ...common,
    env,
    ipc: true,
    serialization: "json",
    stdout: "pipe",
    stderr: "pipe",
  });
  const tail = createTail();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => {
      tail.push(text);
      echo?.(text);
    });
  }
  const program = programOf(name, child, () => tail.lines());
  const port = portOf(name, child, program.ended, () => tail.lines());
  // Whoever starts a service awaits its port or stops it; a stop in between is no unhandled failure.
  port.catch(() => {});
  return { ...program, port };
}
