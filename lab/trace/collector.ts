/** Looks on at a run and keeps what becomes of one request. */
import type { HopRequest, HopWatch } from "../../services/contract/request.ts";
import { outcomeOfStatus } from "../../services/policy/outcome.ts";
import { attemptKey, type ChainWatch } from "../worlds/virtual/core/chain-watch.ts";
import type { AttemptTrace, CallTrace } from "./trace.ts";

const BACKEND = "backend";

/** Four hops of ten attempts each make ten thousand of one request; nobody reads that. */
const MOST_ATTEMPTS = 1000;

export class TraceCollector implements ChainWatch {
  private readonly id: string;
  private readonly now: () => number;
  /** Keyed by what the request carries in `traceparent`. */
  private readonly calls = new Map<string, CallTrace>();
  private readonly attempts = new Map<string, AttemptTrace>();
  private readonly copies = new Set<string>();
  private first: CallTrace | undefined;
  private more = 0;

  /** @param id of the order that is looked for */
  constructor(id: string, now: () => number) {
    this.id = id;
    this.now = now;
  }

  /** The call at the first tier; undefined where none has arrived there. */
  get root(): CallTrace | undefined {
    return this.first;
  }

  /** Attempts that were made after the first thousand, and are not in the tree. */
  get leftOut(): number {
    return this.more;
  }

  hop(tier: string): HopWatch {
    const mine = ({ id }: HopRequest): boolean => id === this.id;
    return {
      arrived: (request) => {
        if (mine(request)) this.arrived(tier, request);
      },
      // Comes before the copy begins.
      hedged: (sent, event) => {
        if (mine(sent) && event === "sent") this.copies.add(attemptKey(tier, sent));
      },
      attemptStarted: (sent) => {
        if (mine(sent)) this.began(tier, sent);
      },
      attemptEnded: (sent, { outcome, status }) => {
        if (!mine(sent)) return;
        Object.assign(this.attemptOf(tier, sent) ?? {}, { endedMs: this.now(), outcome, status });
      },
      decided: (sent, decision) => {
        if (mine(sent)) Object.assign(this.attemptOf(tier, sent) ?? {}, { decision });
      },
      ended: (request, outcome, { status, stop }) => {
        if (mine(request)) this.ended(request, { outcome, status, stop });
      },
    };
  }

  backendArrived(request: HopRequest): void {
    if (request.id === this.id) this.arrived(BACKEND, request);
  }

  backendAnswered(request: HopRequest, status: number): void {
    if (request.id !== this.id) return;
    this.ended(request, { outcome: status === 0 ? "failed" : outcomeOfStatus(status), status });
  }

  backendLeft(request: HopRequest): void {
    if (request.id === this.id) this.ended(request, { outcome: "left" });
  }

  private arrived(tier: string, { traceparent }: HopRequest): void {
    const parent = this.attempts.get(traceparent);
    if (parent === undefined && this.first !== undefined) return;
    const call: CallTrace = { tier, arrivedMs: this.now(), attempts: [] };
    this.calls.set(traceparent, call);
    if (parent === undefined) this.first = call;
    else parent.below = call;
  }

  private ended({ traceparent }: HopRequest, how: Pick<CallTrace, "outcome" | "status" | "stop">): void {
    const call = this.calls.get(traceparent);
    if (call !== undefined && call.endedMs === undefined) Object.assign(call, { endedMs: this.now(), ...how });
  }

  private began(hop: string, sent: HopRequest): void {
    const call = this.calls.get(sent.traceparent);
    if (call === undefined || this.attempts.size >= MOST_ATTEMPTS) {
      this.more += 1;
      return;
    }
    const key = attemptKey(hop, sent);
    const attempt: AttemptTrace = {
      hop,
      number: sent.attempt,
      beganMs: this.now(),
      ...(sent.replica === undefined ? {} : { replica: sent.replica }),
      isCopy: this.copies.has(key),
    };
    this.attempts.set(key, attempt);
    call.attempts.push(attempt);
  }

  private attemptOf(hop: string, sent: HopRequest): AttemptTrace | undefined {
    return this.attempts.get(attemptKey(hop, sent));
  }
}
