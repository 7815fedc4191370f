/**
 * Faults that somebody could build into the pure core, each of which a test has to notice (`npm run mutants`). A text stands
 * exactly once in its file, in the source and compiled (mutants.test.ts), so it is short and has no types in it.
 */

/** What is written instead of a text, and the fault that this is. */
export type Change = readonly [text: string, instead: string, fault: string];

export interface MutatedFile {
  readonly file: string;
  /** Parts of the paths of the tests that should notice; those of the file's own room where absent. */
  readonly tests?: readonly string[];
  readonly changes: readonly Change[];
}

const POLICY: readonly MutatedFile[] = [
  {
    file: "services/policy/backoff.ts",
    changes: [
      ["Math.min(factor ** n, Number.MAX_VALUE)", "factor ** n", "overflows after 1,023 attempts"],
      ["2 * jitter * rng()", "0", "a wait that should vary is always short"],
      ["Math.min(capMs, 3 * from) - from", "3 * from", "a rising wait leaves its cap"],
      ["dueMs - waitedMs", "dueMs", "a smooth wait forgets what was waited already"],
      ["return rng() * exponentialMs(policy, n)", "return exponentialMs(policy, n)", "full jitter without jitter"],
      ["(1 + rng())", "rng()", "equal jitter may wait nothing"],
      ["(3 * from - baseMs)", "(3 * from)", "decorrelated jitter rises above three times the last wait"],
      ["Math.max(baseMs, previousMs)", "previousMs", "a wait of 0 stays 0"],
    ],
  },
  {
    file: "services/policy/deadline.ts",
    changes: [
      ["Math.min(ownMs, incomingMs ?? Infinity)", "ownMs", "the caller's deadline is ignored"],
      ["Math.min(attemptTimeoutMs, deadline - now)", "attemptTimeoutMs", "an attempt outlives its deadline"],
      ["Math.ceil(limitMs) - 1", "Math.ceil(limitMs)", "a callee gets as long as its caller"],
    ],
  },
  {
    file: "services/policy/retry-decision.ts",
    changes: [
      ["situation.attempts >= policy.maxAttempts", "situation.attempts > policy.maxAttempts", "one attempt too many"],
      ["if (!situation.replayable)", "if (situation.replayable)", "writes without a key are retried"],
      ["if (!policy.retryOwner)", "if (policy.retryOwner)", "the wrong hop retries"],
      ["if (!situation.breakerClosed)", "if (false)", "retries go into an open breaker"],
      ["if (toldToBackOff(policy, situation))", "if (false)", "nobody listens to a callee that asks for quiet"],
      [
        "now + delayMs + policy.minAttemptMs >= deadline",
        "now + delayMs >= deadline",
        "an attempt without the time for one",
      ],
      [
        "if (!budget.tryWithdraw(now, reply))",
        "if (budget.tryWithdraw(now, reply))",
        "the budget says yes and is not believed",
      ],
      ["retryAfterMs + backoff + rng()", "retryAfterMs + rng()", "no backoff on top of Retry-After"],
      ["terms.baseMs, retryAfterMs / 2", "0, 0", "a crowd comes back at one moment"],
      ['reason === "breaker_open" ||', "", "callers retry into an open breaker"],
      ["Math.min(retryAfterMs, backoff + CLAMP_MS)", "retryAfterMs", "a callee decides how long an AWS client waits"],
      ["{ ...backoff, baseMs: base429Ms }", "backoff", "a callee that throttles is asked as soon as any"],
      ["> LONGEST_RETRY_AFTER_MS", "< 0", "a Retry-After of hours is waited for"],
    ],
  },
  {
    file: "services/policy/outcome.ts",
    changes: [
      ["status === 503 || status === 429", "status === 503", "429 counts as the caller's fault"],
      ["status >= 500", "status > 500", "500 is not retried"],
      ["status < 400", "status < 300", "redirects are failures"],
    ],
  },
  {
    file: "services/policy/budget/bucket.ts",
    changes: [
      ["tokens < price - ROUNDING", "tokens < price", "rounding eats a retry"],
      ["Math.min(most, tokens + (isRefunded", "(tokens + (isRefunded", "a bucket without an upper edge"],
      ["if (event !== counted) return;", "", "successes and requests both pay in"],
      ["isRefunded ? priceAfter(policy, after)", "isRefunded ? policy.ratio", "nothing is given back"],
      ["(policy.minPerSecond * cost) / 1000", "policy.minPerSecond / 1000", "the floor forgets the cost"],
      ["Math.min(mostTokens(policy), policy.start)", "mostTokens(policy)", "a bucket starts full"],
    ],
  },
  {
    file: "services/policy/budget/window.ts",
    changes: [["+ floor - retries.sum(now)", "+ floor", "retries are not counted"]],
  },
  {
    file: "services/policy/budget/sliding-count.ts",
    changes: [
      ["this.total -= this.slices", "this.total -= 0 * this.slices", "nothing is ever forgotten"],
      ["past <= slice", "past < slice", "a slice keeps what it held a window ago"],
    ],
  },
  {
    file: "services/policy/budget/failures.ts",
    changes: [
      ["tokens > burst / 2 + ROUNDING", "tokens > 0", "retries go on until the bucket is empty"],
      ["Math.max(0, tokens - 1)", "tokens - 1", "an outage has to be earned back failure by failure"],
    ],
  },
  {
    file: "services/policy/retry-on.ts",
    changes: [
      ["sent === false", "sent !== false", "a request that was sent counts as one that was not"],
      ['outcome === "deadline" || ', "", "a deadline that has passed is tried again"],
    ],
  },
  {
    file: "services/policy/budget/concurrent.ts",
    changes: [
      ["inFlight -= 1", "inFlight -= 0", "who has ended counts as in flight"],
      ["underWay -= 1", "underWay -= 0", "a retry is under way for ever"],
      ["Math.max(ratio * base, minConcurrent)", "ratio * base", "a quiet service may not retry"],
    ],
  },
  {
    file: "services/policy/budget/decayed.ts",
    changes: [["Math.exp((fadedAt - now) / windowMs)", "1", "credit never fades"]],
  },
  {
    file: "services/policy/budget/fleet.ts",
    changes: [
      ["this.leased >= 1", "this.leased > 1", "the last retry of a lease is lost"],
      ["isDoubtful ? 0 : this.owed", "this.owed", "a deposit is paid twice after silence"],
      ["ASK_EVERY_MS * 2 ** this.unanswered", "ASK_EVERY_MS", "a dead store is asked without end"],
      ["this.floor.close(now);", "", "the floor stays open beside the lease"],
    ],
  },
  {
    file: "services/policy/breaker/breaker.ts",
    changes: [
      ["toSend: probes - 1", "toSend: probes", "one probe too many"],
      ["coolOffMs * (1 + rng() / 2)", "coolOffMs", "all breakers probe at one moment"],
      ["round !== state.round || ", "", "a call of an earlier round counts"],
      ["state.toSucceed > 1", "state.toSucceed > 0", "closing takes a success too many"],
      ["now >= state.untilMs ||", "", "an open breaker never probes"],
      ["status === 429 || ", "", "a 429 opens the breaker"],
    ],
  },
  {
    file: "services/policy/breaker/rule.ts",
    changes: [
      ["inARow >= rule.failures", "inARow > rule.failures", "trips one failure late"],
      ["calls >= rule.minCalls &&", "", "one failed call of one trips"],
      ["slice.at > at - SLICES", "true", "old failures count for ever"],
      ["failed ? memory.inARow + 1 : 0", "failed ? memory.inARow + 1 : memory.inARow", "a success does not end a row"],
    ],
  },
  {
    file: "services/policy/hedge/hedge.ts",
    changes: [
      ["now - this.shedAt < SHED_IS_FRESH_MS", "false", "hedges go into overload"],
      ["!breakerClosed ||", "", "hedges go into an open breaker"],
    ],
  },
  {
    file: "services/policy/hedge/quantile.ts",
    changes: [
      ["this.inYoung + this.inOld < LEAST_SAMPLES", "false", "a quantile of nothing"],
      ["this.sinceAnswer >= REFRESH", "false", "the first answer stays for ever"],
    ],
  },
  {
    file: "services/policy/queue/codel.ts",
    changes: [
      ["|| !othersWait", "", "the last one in the queue is dropped"],
      [
        "this.dropNext += CODEL_INTERVAL_MS / Math.sqrt(this.count)",
        "this.dropNext += CODEL_INTERVAL_MS",
        "drops never come faster",
      ],
    ],
  },
  {
    file: "services/policy/queue/order.ts",
    changes: [
      ["> LIFO_AFTER_MS", "> Infinity", "never the newest first"],
      ["item.attempt <= 1", "item.attempt <= 2", "second tries go first, too"],
    ],
  },
  {
    file: "services/policy/queue/fifo.ts",
    changes: [["this.items.length - this.head", "this.items.length", "who has gone counts as waiting"]],
  },
];

const TIERS: readonly MutatedFile[] = [
  {
    file: "services/hop/core/retry-loop.ts",
    changes: [
      ["if (this.rounds === 0)", "if (true)", "each attempt pays into the budget"],
      ["|| this.hop.policy.followCaller === false", "", "FOLLOW_CALLER=0 leaves with the caller"],
      ["this.over = true", "this.over = false", "a caller is answered twice"],
      ["sent.idempotencyKey !== undefined", "false", "writes with a key are not retried"],
      ["this.limitMs - (now - original.startedAt)", "this.limitMs", "a copy gets a whole attempt's time again"],
      ["this.last ?? failFast", "failFast", "the last reply is forgotten when the breaker opens"],
    ],
  },
  {
    file: "services/hop/core/admission.ts",
    changes: [
      ["this.waiting >= this.policy.queue", "this.waiting > this.policy.queue", "one too many waits"],
      ["this.waiting === 0 && this.inside", "this.inside", "who arrives passes those who wait"],
      ["this.inside -= 1", "this.inside -= 0", "a place never becomes free"],
    ],
  },
  {
    file: "services/hop/core/hedge-round.ts",
    changes: [
      ["other.giveUp(LOST);", "", "the loser goes on"],
      ['reply.outcome !== "ok"', "false", "the first failure ends the round"],
      [
        "earlier !== undefined ? earlier : reply",
        "false ? earlier : reply",
        "a copy's rejection hides the original's answer",
      ],
    ],
  },
  {
    file: "services/hop/core/answer.ts",
    changes: [["last.status || 502", "last.status", "a lost connection is answered with no status"]],
  },
  {
    file: "services/backend/core/throttle.ts",
    changes: [
      ["this.tokens < 1 - ROUNDING", "this.tokens < 0", "capacity has no end"],
      ["Math.min(this.burst, this.tokens +", "(this.tokens +", "tokens are saved up without end"],
    ],
  },
  {
    file: "services/backend/core/replica.ts",
    changes: [
      ["this.tally.wasted += 1", "this.tally.wasted += 0", "work for nobody is not counted"],
      ["job.tally.abandoned += 1", "job.tally.abandoned += 0", "who left a queue that keeps the place is not counted"],
      ["job.tally === this.tally", "true", "a call of an earlier run is counted"],
      ["job.expiresAt <= now", "false", "what has expired is served"],
      ['!failed && method === "POST"', 'method === "POST"', "a failed write has an effect"],
      ["&& this.config.leaveOnDisconnect", "", "callers always leave the queue"],
      [
        "this.queue.waiting >= this.mostWaiting()",
        "this.queue.waiting > this.mostWaiting()",
        "the queue is one longer",
      ],
    ],
  },
  {
    file: "services/backend/core/fault-injection.ts",
    changes: [
      ["uniform(seed, key, n) < share", "uniform(seed, key, n) > share", "errors and successes swap"],
      ["replica > 0 && replica === slowReplica", "false", "SLOW_REPLICA is as fast as the others"],
    ],
  },
  {
    file: "services/backend/core/idempotency-store.ts",
    changes: [
      ["now < entry.until", "true", "keys are remembered for ever"],
      [' && reply.outcome === "ok")', ")", "failures are remembered, too"],
      ["entry.of !== of", "false", "a key of another request gets its answer"],
    ],
  },
  {
    file: "services/backend/core/ledger.ts",
    changes: [
      [
        "this.perIntention.next(intention) > 0",
        "this.perIntention.next(intention) > 1",
        "the first duplicate is missed",
      ],
    ],
  },
  {
    file: "services/backend/core/ties.ts",
    changes: [["withdraw === own", "false", "whoever begins withdraws itself"]],
  },
  {
    file: "services/backend/core/token-queue.ts",
    changes: [
      [
        "this.waiting === 0 && this.throttle.tryTake(now)",
        "this.throttle.tryTake(now)",
        "who comes passes those who wait",
      ],
      ["dropExpired ? now : -Infinity", "now", "what has expired is always dropped"],
    ],
  },
];

const LOAD_AND_SETTINGS: readonly MutatedFile[] = [
  {
    file: "loadgen/core/schedule.ts",
    changes: [
      ["area - ROUNDING", "area", "rounding adds a request"],
      ["((from + to) / 2)", "from", "a ramp offers its first rate"],
      ["x += exponential(rng)", "x += 1", "Poisson arrivals are a grid"],
    ],
  },
  {
    file: "loadgen/core/reconcile.ts",
    changes: [
      ["attempts - unsent - below.arrivals", "attempts - below.arrivals", "what was never sent counts as lost"],
    ],
  },
  {
    file: "loadgen/core/validity.ts",
    changes: [
      ["late <= MOST_LATE * scheduled && ", "", "1 % of late requests pass"],
      ["share > MOST_CPU", "false", "a saturated machine passes"],
      ["ms > MOST_LAG_MS", "false", "a late event loop passes"],
      ["ms > harmless;", "ms > 2 * harmless;", "twice the lateness that is harmless passes as noise"],
      ["if (dropped > 0)", "if (false)", "dropped requests pass"],
      ["underWay > 0", "false", "requests under way pass"],
    ],
  },
  {
    file: "loadgen/core/limit.ts",
    changes: [["answered / (1 - errorRate)", "answered", "failed calls are not counted"]],
  },
  {
    file: "loadgen/core/summary.ts",
    changes: [
      ["longestMs > limitMs / 2", "false", "a slow backend is called a slow machine"],
      ["sent: due - unsent", "sent: due", "dropped requests count as sent"],
    ],
  },
  {
    file: "services/settings/parse-setting.ts",
    changes: [
      ["value <= max", "true", "no upper end"],
      ["whole === true && !Number.isInteger(value)", "false", "half an attempt"],
    ],
  },
  {
    file: "services/settings/contradictions.ts",
    changes: [["strictly === true && value === most", "false", "what must be less may be equal"]],
  },
  {
    file: "services/settings/dotenv.ts",
    changes: [["if (earlier !== undefined)", "if (false)", "a name that is set twice passes"]],
  },
  {
    file: "services/settings/layers.ts",
    changes: [["findLastIndex", "findIndex", "the weakest layer is named"]],
  },
  {
    file: "services/settings/no-effect.ts",
    changes: [["newest < at ||", "", "an override that has no effect passes"]],
  },
  {
    file: "services/settings/overrides.ts",
    changes: [["[...names].filter((name) => !isOfSpans(name))", "[...names]", "OTEL_ variables count as the lab's"]],
  },
  {
    file: "services/settings/rate-profile.ts",
    changes: [["parsed.atS < before", "false", "steps out of order pass"]],
  },
];

const EDGES: readonly MutatedFile[] = [
  {
    file: "services/hop/main.ts",
    tests: ["services/http/service.test"],
    changes: [['?? process.env["TIER"]', "", "TIER is not read"]],
  },
  {
    file: "lab/report/pages/reproduce.ts",
    tests: ["lab/report/pages/reproduce.test"],
    changes: [[":=,@%+-", ":=,@%+$-", "a shell replaces $NAME in the command that makes a run again"]],
  },
];

export const MUTATED_FILES: readonly MutatedFile[] = [...POLICY, ...TIERS, ...LOAD_AND_SETTINGS, ...EDGES];
