/** The backend's ledger: what became of all its calls. The rows add up to the calls, the parts of a row do not. */
import type { RunSummary } from "./run-summary.ts";

export interface LedgerRow {
  readonly name: string;
  readonly calls: number;
  /** Of those calls. One call may be in two parts or in none. */
  readonly parts: readonly { readonly name: string; readonly calls: number }[];
}

const row = (name: string, calls: number, parts: Readonly<Record<string, number>> = {}): LedgerRow => ({
  name,
  calls,
  parts: Object.entries(parts).map(([part, count]) => ({ name: part, calls: count })),
});

/** All rows, those at zero included. */
export function ledgerOf({ backend }: Pick<RunSummary, "backend">): LedgerRow[] {
  const { ok, failed, shed, expired, left, repeated, lost, waiting, serving, wasted, abandoned } = backend;
  return [
    row("served", ok + failed, {
      "answered well": ok,
      "failed by injected error": failed,
      "after the caller had gone: wasted": wasted,
      "well, and the answer got lost": lost,
    }),
    row("shed", shed),
    row("dropped after their deadline", expired),
    row("left before they were served", left),
    row("repeats of a known key", repeated),
    row("still there at the end", waiting + serving, {
      "in the queue": waiting,
      "being served": serving,
      "whose caller had gone: wasted": abandoned,
    }),
  ];
}
