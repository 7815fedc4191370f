import type { RunSummary } from "../../../../loadgen/core/run-summary.ts";

interface Judged extends Pick<RunSummary, "invalidReasons"> {
  readonly tiers: Readonly<Record<string, Pick<RunSummary["tiers"][string], "lost">>>;
}

/** Whether a run is to be made again, since a busy machine can have done that to it. */
export type IsExcused = (summary: Judged) => boolean;

/** In how many tries calls may be lost: what is lost again and again is not counted rightly. */
const MOST_LOSSES = 2;

/**
 * A machine that is too late can make attempts time out before the tier below has looked at its connections: calls that
 * were sent and never seen. What was seen and never sent has no such excuse.
 */
const mayHaveLost = (tiers: Judged["tiers"], reasons: string): boolean => {
  const lost = Object.values(tiers).map((tier) => tier.lost);
  const isLate = reasons.includes("the machine was saturated");
  return isLate && lost.some((calls) => calls > 0) && lost.every((calls) => calls >= 0);
};

/** For the tries of one test: it counts what it has excused. */
export function createExcuses(): IsExcused {
  let losses = 0;
  return ({ invalidReasons, tiers }) => {
    const reasons = invalidReasons.join("\n");
    // Cut short: that says nothing about what is counted.
    if (/stopped answering|still under way/.test(reasons)) return true;
    if (!mayHaveLost(tiers, reasons)) return false;
    losses += 1;
    return losses <= MOST_LOSSES;
  };
}
