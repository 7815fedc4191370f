/**
 * Every metric of the lab, declared once: dashboards, rules and docs take their names from here.
 *
 * A logical request and the attempts that it costs are two sets of metrics: their ratio is the amplification. Labels
 * are closed sets: `outcome` and `reason` as in services/policy/outcome.ts, `attempt` is 1, 2, 3 or 4+. Every series
 * carries `service`, the tier's name. prom-client's own process metrics (process_*, nodejs_*, among them the event
 * loop's lag) come on top.
 */
export const METRICS = {
  arrivals: { name: "lab_arrivals_total", help: "Logical requests that arrived" },
  inFlight: { name: "lab_requests_in_flight", help: "Requests that have arrived and are not answered yet" },
  deadlineRemaining: { name: "lab_deadline_remaining_seconds", help: "Time that was left when a request with a deadline arrived" },

  requests: { name: "lab_requests_total", help: "Logical requests of a hop that ended, by outcome" },
  requestDuration: { name: "lab_request_duration_seconds", help: "From a logical request's arrival to its end, by outcome" },
  attempts: { name: "lab_attempts_total", help: "Attempts at the upstream that ended, by outcome and attempt number" },
  attemptDuration: { name: "lab_attempt_duration_seconds", help: "Duration of attempts at the upstream, by outcome" },
  unsent: { name: "lab_attempts_unsent_total", help: "Attempts that never left: no connection, or cancelled before" },
  retries: { name: "lab_retries_total", help: "Decisions to try again" },
  stops: { name: "lab_retry_stops_total", help: "Logical requests by the reason to make no further attempt" },
  budgetBalance: { name: "lab_retry_budget_balance", help: "Retries that the budget would allow now; +Inf: no limit" },
  budgetDenials: { name: "lab_retry_budget_denials_total", help: "Retries that the budget refused" },
  fleetAnswers: { name: "lab_fleet_budget_answers_total", help: "Questions to the shared budget: granted (it leased retries), empty (it had none), none (no answer in time)" },
  fleetLeased: { name: "lab_fleet_budget_leased_total", help: "Retries leased out of the shared budget" },
  fleetRetries: { name: "lab_fleet_budget_retries_total", help: "Retries paid for by a lease, or by the floor while the store did not answer" },
  fleetAway: { name: "lab_fleet_budget_store_away", help: "1 while the store does not answer, else 0" },
  hedges: { name: "lab_hedges_total", help: "Second copies of reads: sent, won (their answer was used), suppressed (bad signs), denied (budget)" },
  breakerState: { name: "lab_breaker_state", help: "1 for the state that the breaker is in, 0 for the others" },
  admissionWaiting: { name: "lab_admission_waiting", help: "Requests that wait to be taken on" },
  upstreamWaiting: { name: "lab_upstream_waiting", help: "Attempts that wait for a connection" },

  backendCalls: { name: "lab_backend_calls_total", help: "Calls of the backend that ended, by result" },
  backendQueue: { name: "lab_backend_queue_depth", help: "Calls that wait for a token" },
  backendServing: { name: "lab_backend_serving", help: "Calls that are being served" },
  backendTokens: { name: "lab_backend_throttle_tokens", help: "Tokens in the throttle's bucket" },
  backendWasted: { name: "lab_backend_wasted_calls_total", help: "Wasted calls that were served: their caller had gone" },
  backendAbandoned: { name: "lab_backend_abandoned_calls", help: "Wasted calls that still wait or are being served: their caller has gone" },
  backendLost: { name: "lab_backend_answers_lost_total", help: "Good answers that were lost on their way" },
  backendEffects: { name: "lab_backend_effects_total", help: "Side effects of writes" },
  backendDuplicates: { name: "lab_backend_duplicate_effects_total", help: "Side effects beyond the first for one intention" },
  backendCapacity: { name: "lab_backend_capacity_per_second", help: "Calls a second that the throttle lets through" },
  backendErrorRate: { name: "lab_backend_error_ratio", help: "Share of the served calls that fail" },
  backendLatency: { name: "lab_backend_service_latency_seconds", help: "Service time of a call with a token" },

  clientDue: { name: "lab_client_requests_due_total", help: "Requests that the schedule has asked for: the offered load" },
  clientSent: { name: "lab_client_requests_sent_total", help: "Requests that ended and had got a connection" },
  clientLate: { name: "lab_client_requests_late_total", help: "Requests that were sent late" },
  clientDropped: { name: "lab_client_requests_dropped_total", help: "Requests that ended without ever getting a connection" },
  clientRequests: { name: "lab_client_requests_total", help: "Requests that ended, by the client's outcome" },
  clientDuration: { name: "lab_client_request_duration_seconds", help: "From the time at which a request was due to its end, by outcome" },
  runInfo: { name: "lab_run_info", help: "1; the labels say which run this is" },
} as const;

export interface MetricName {
  readonly name: string;
  readonly help: string;
}

/** Seconds: 1 ms to 5 s. */
export const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.35, 0.7, 1, 1.5, 2, 3, 5];

export const ATTEMPT_LABELS = ["1", "2", "3", "4+"] as const;
export type AttemptLabel = (typeof ATTEMPT_LABELS)[number];

/** @param attempt 1 = the first */
export function attemptLabel(attempt: number): AttemptLabel {
  return ATTEMPT_LABELS[attempt - 1] ?? "4+";
}
