/** Values as lines of JSON on a stream that may be slower than they come, in bounded memory. */
import { finished } from "node:stream/promises";
import type { Writable } from "node:stream";

/** Bytes that may wait for the disk: some 250,000 records. */
export const MOST_WAITING_BYTES = 64 * 2 ** 20;

export interface Lines {
  /** Writes one line. After the first fault, of the stream or of its slowness, lines are dropped. */
  add(value: unknown): void;
  /** Ends the stream. Rejects with the first fault, where there was one. */
  close(): Promise<void>;
}

/** @param mostWaitingBytes beyond this the stream counts as broken; 1 or more */
export function createLines(stream: Writable, mostWaitingBytes: number = MOST_WAITING_BYTES): Lines {
  let fault: Error | undefined;
  stream.on("error", (error) => {
    fault ??= error;
  });
  const write = (line: string): void => {
    if (stream.writableLength + line.length <= mostWaitingBytes) stream.write(line);
    else fault = new Error(`it is too slow: ${stream.writableLength} bytes were waiting to be written`);
  };
  return {
    add(value) {
      if (fault === undefined) write(`${JSON.stringify(value)}\n`);
    },
    async close() {
      // What is too slow to keep up would take its time now, too.
      if (fault === undefined) stream.end();
      else stream.destroy();
      if (!stream.closed) await finished(stream).catch((error: unknown) => (fault ??= error as Error));
      if (fault !== undefined) throw fault;
    },
  };
}
