/** How the exports of spans go: told once in the log, and as figures in `GET /stats`. */
import type { SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { Clock } from "../policy/clock.ts";
import { AwayTally } from "./away-tally.ts";
import type { Reach } from "./process-stats.ts";

/** An answer of a collector that is there takes milliseconds; one that has none after so many is away. */
const SLOW_MS = 3000;

/** Hears how exports go. They may take long to fail, since the SDK tries again by itself. */
export class Exports {
  private readonly clock: Pick<Clock, "now">;
  private readonly tally: AwayTally;
  /** When each of those under way began. */
  private readonly underWay = new Set<{ readonly at: number }>();

  constructor(clock: Pick<Clock, "now">) {
    this.clock = clock;
    this.tally = new AwayTally(clock);
  }

  /** @returns to be called when it has ended */
  begun(): (hasArrived: boolean) => void {
    const one = { at: this.clock.now() };
    this.underWay.add(one);
    return (hasArrived) => {
      this.underWay.delete(one);
      if (hasArrived) this.tally.answered();
      else this.tally.silent(one.at);
    };
  }

  readonly reach: Reach = {
    begin: () => this.tally.begin(),
    stats: () => {
      const [oldest] = this.underWay;
      if (oldest !== undefined && this.clock.now() - oldest.at >= SLOW_MS) this.tally.silent(oldest.at);
      return this.tally.stats();
    },
  };
}

/** `exporter`, whose failures are told here, the first alone: the SDK would print every one of them. */
export function tellingOnce(
  exporter: SpanExporter,
  exports: Exports,
  tell: (error: Error | undefined) => void,
): SpanExporter {
  let told = false;
  return {
    export: (spans, done) => {
      const ended = exports.begun();
      exporter.export(spans, ({ code, error }) => {
        ended(code === 0);
        if (code !== 0 && !told) {
          told = true;
          tell(error);
        }
        done({ code: 0 });
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
