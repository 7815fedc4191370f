/** What the client's records add up to, gathered one by one in bounded memory. */
import { zeros } from "../../services/contract/zeros.ts";
import { OUTCOMES, type StopReason } from "../../services/policy/outcome.ts";
import { Quantiles } from "./quantiles.ts";
import type { ClientRecord } from "../core/record.ts";
import type { ClientFigures } from "../core/run-facts.ts";
import { LATE_AFTER_MS } from "../core/validity.ts";

export class ClientTally {
  private readonly latency = new Quantiles();
  private readonly lateness = new Quantiles();
  private readonly outcomes = zeros(OUTCOMES);
  private readonly stopReasons: Partial<Record<StopReason, number>> = {};
  private records = 0;
  private unsent = 0;
  private late = 0;

  /** @param sent false for a request that never got a connection */
  add(record: ClientRecord, sent: boolean): void {
    const { latencyMs, lateMs, outcome, stop } = record;
    this.records += 1;
    this.latency.add(latencyMs);
    this.lateness.add(lateMs);
    this.outcomes[outcome] += 1;
    if (stop !== undefined) this.stopReasons[stop] = (this.stopReasons[stop] ?? 0) + 1;
    if (!sent) this.unsent += 1;
    if (lateMs > LATE_AFTER_MS) this.late += 1;
  }

  /** Share of the records that ended well, 0 to 1; undefined before the first. */
  successRate(): number | undefined {
    return this.records === 0 ? undefined : this.outcomes.ok / this.records;
  }

  /** @param due requests that the schedule has asked for */
  figures(due: number): ClientFigures {
    const { latency, lateness } = this;
    return {
      due,
      ended: this.records,
      unsent: this.unsent,
      outcomes: { ...this.outcomes },
      stopReasons: { ...this.stopReasons },
      latencyMs: {
        p50: latency.at(0.5),
        p90: latency.at(0.9),
        p99: latency.at(0.99),
        p999: latency.at(0.999),
        max: latency.max(),
      },
      late: this.late,
      lateP99Ms: lateness.at(0.99),
      lateMaxMs: lateness.max(),
    };
  }
}
