/**
 * Logs as JSON lines on standard output.
 *
 * They are written apart from the requests and at most a mebibyte of them waits: where the reader is slower than the
 * storm, lines are dropped rather than the service held up.
 */
import { destination, pino, stdTimeFunctions, type DestinationStream, type Logger } from "pino";

export type { Logger };

const MOST_WAITING_BYTES = 1_048_576;
const STANDARD_OUTPUT = 1;

function standardOutput(): DestinationStream {
  return destination({ dest: STANDARD_OUTPUT, sync: false, maxLength: MOST_WAITING_BYTES });
}

/**
 * @param level pino's: trace, debug, info, warn, error, fatal or silent
 * @param out where the lines go; standard output where nothing is said
 */
export function createLog(service: string, level: string, out = standardOutput()): Logger {
  return pino({ level, base: { service }, timestamp: stdTimeFunctions.isoTime }, out);
}
