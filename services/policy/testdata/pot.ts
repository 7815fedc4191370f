/** A shared bucket in memory, as the store keeps one, and the ways in which a store lets its clients down. */
import type { AskStore, Lease, LeaseRequest, SharedTerms } from "../budget/fleet.ts";

/**
 * `well` answers at once · `later` answers when `deliver` is called · `deaf` never hears the question · `mute` does
 * what it is asked, and the answer is lost. Where no answer comes, the client has waited in vain by the time that `ask`
 * returns.
 */
export type PotMood = "well" | "later" | "deaf" | "mute";

export class Pot {
  mood: PotMood = "well";
  readonly asked: LeaseRequest[] = [];
  private readonly terms: SharedTerms;
  private readonly now: () => number;
  private tokens: number | undefined;
  private at = 0;
  private waiting: (() => void)[] = [];

  constructor(terms: SharedTerms, now: () => number) {
    this.terms = terms;
    this.now = now;
  }

  readonly ask: AskStore = (request, done) => {
    this.asked.push(request);
    switch (this.mood) {
      case "well":
        return done(this.serve(request));
      case "later":
        this.waiting.push(() => done(this.serve(request)));
        return;
      case "mute":
        this.serve(request);
        return done(undefined);
      case "deaf":
        return done(undefined);
    }
  };

  /** Serves and answers what has waited. */
  deliver(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const answer of waiting) answer();
  }

  /** As a store without a disk does that is started again. */
  forget(): void {
    this.tokens = undefined;
  }

  /** The same arithmetic as the script of hop/lease-script.ts. */
  serve({ deposit, want, known }: LeaseRequest): Lease {
    const { most, start, perSecond } = this.terms;
    const now = this.now();
    if (this.tokens === undefined) [this.tokens, this.at] = [known ? 0 : start, now];
    const dripped = (Math.max(0, now - this.at) * perSecond) / 1000;
    this.at = Math.max(now, this.at);
    const held = Math.min(most, this.tokens + dripped + deposit);
    const granted = Math.min(want, Math.floor(held + 1e-9));
    this.tokens = Math.max(0, held - granted);
    return { granted, left: this.tokens };
  }
}
