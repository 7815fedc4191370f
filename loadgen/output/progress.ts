/** How the run goes on: a bar where a person looks at a terminal, else a plain line every five seconds. */
import type { Writable } from "node:stream";
import { Presets, SingleBar } from "cli-progress";
import { percent, times } from "../core/format.ts";

const LINE_EVERY_S = 5;

/** How far a run is. */
export interface Progress {
  readonly elapsedS: number;
  readonly due: number;
  readonly backendCalls: number;
}

export interface ProgressView {
  /** @param successRate of the requests that have ended; undefined before the first */
  show(progress: Progress, successRate: number | undefined): void;
  stop(): void;
}

function figures({ due, backendCalls }: Progress, successRate: number | undefined): string {
  const succeeded = successRate === undefined ? "–" : percent(successRate);
  const amplification = due === 0 ? "–" : times(backendCalls / due);
  return `succeeded ${succeeded}, amplification ${amplification}`;
}

function createBar(durationS: number, stream: NodeJS.WritableStream): ProgressView {
  const format = "{bar} {value}/{total} s  {figures}";
  const bar = new SingleBar({ format, stream, hideCursor: true, clearOnComplete: true }, Presets.shades_classic);
  bar.start(Math.ceil(durationS), 0, { figures: "" });
  return {
    show(progress, successRate) {
      const value = Math.min(Math.ceil(durationS), Math.round(progress.elapsedS));
      bar.update(value, { figures: figures(progress, successRate) });
    },
    stop: () => bar.stop(),
  };
}

function createLines(durationS: number, stream: Writable): ProgressView {
  let shown = 0;
  return {
    show(progress, successRate) {
      // The run is looked at near each whole second. After a stall there is one line, not all those that it swallowed.
      const elapsedS = Math.round(progress.elapsedS);
      const passed = Math.floor(elapsedS / LINE_EVERY_S);
      if (passed <= shown) return;
      shown = passed;
      // It is looked at still while the last answers are awaited.
      const how = elapsedS > durationS ? `${durationS} s over` : `${elapsedS} of ${durationS} s`;
      stream.write(`${how}: ${figures(progress, successRate)}\n`);
    },
    stop: () => {},
  };
}

/** A bar where `stream` is a terminal, else lines. */
export function createProgress(durationS: number, stream: Writable & { readonly isTTY?: boolean }): ProgressView {
  return stream.isTTY === true ? createBar(durationS, stream) : createLines(durationS, stream);
}
