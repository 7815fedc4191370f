/** What a file in bench/rows exports by default, and what it measures. */

/** One line of the table. */
export interface Row {
  readonly what: string;
  readonly ours: string;
  /** What the peer did in the same run; absent where there is none. */
  readonly peer?: string;
  /** Ours against the peer's, as text: "2.9x (2.6–3.1)". */
  readonly ratio?: string;
  /** Whether the goal was met; null where it could not be judged, for example because a peer is not installed. */
  readonly met: boolean | null;
  /** Why a goal is missed, or what the reader must know. */
  readonly note?: string;
}

export interface Bench {
  readonly title: string;
  /** As text, with the number. */
  readonly goal: string;
  run(): Promise<Row[]>;
}
