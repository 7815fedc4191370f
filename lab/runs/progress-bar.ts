/** How far an experiment is; shown on a terminal only. */
import { SingleBar } from "cli-progress";

export interface ProgressBar {
  step(): void;
  end(): void;
}

export function progressBar(what: string, total: number, done = 0): ProgressBar {
  const bar = new SingleBar({
    format: `${what} {bar} {value}/{total}  {duration_formatted}, {eta_formatted} left`,
    stream: process.stderr,
    clearOnComplete: true,
    gracefulExit: false,
    hideCursor: true,
  });
  bar.start(total, done);
  return { step: () => bar.increment(), end: () => bar.stop() };
}
