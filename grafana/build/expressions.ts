/**
 * What the panels ask Prometheus, in PromQL.
 *
 * Rates over `$__rate_interval`, which Grafana makes at least four scrapes long. A ratio has `> 0` below it: without
 * traffic there is no point, rather than a NaN.
 */
import { METRICS, type MetricName } from "../../services/telemetry/metric-names.ts";

/** The tier that the client calls, and the one that struggles, as in compose.yaml. */
export const ENTRY = "edge";
export const LAST = "backend";

type Labels = Readonly<Record<string, string>>;

const selector = ({ name }: MetricName, labels: Labels = {}): string => {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(",")}}`;
};

export const now = selector;

/** Events per second. @param by labels that stay apart */
export function rateExpression(metric: MetricName, labels: Labels = {}, by: readonly string[] = []): string {
  const apart = by.length === 0 ? "" : ` by (${by.join(", ")})`;
  return `sum${apart} (rate(${selector(metric, labels)}[$__rate_interval]))`;
}

/** Events in the dashboard's whole time range. */
export function increase(metric: MetricName, labels: Labels = {}): string {
  return `sum(increase(${selector(metric, labels)}[$__range]))`;
}

/** By how much a gauge has grown in the dashboard's whole time range. */
export function growth(metric: MetricName): string {
  return `sum(delta(${selector(metric)}[$__range]))`;
}

export function ratio(above: string, below: string): string {
  return `${above} / (${below} > 0)`;
}

/** A quantile of a histogram of durations, in seconds. */
export function quantile(q: number, { name }: MetricName, labels: Labels = {}, by: readonly string[] = []): string {
  const buckets = selector({ name: `${name}_bucket`, help: "" }, labels);
  const apart = ["le", ...by].join(", ");
  // Without an event in the interval the quantile is NaN; comparing drops it.
  return `histogram_quantile(${q}, sum by (${apart}) (rate(${buckets}[$__rate_interval]))) >= 0`;
}

/**
 * How many successes a second the backend and the clients allow: no more than are asked for, or than it can serve
 * well.
 */
export const GOODPUT_LIMIT = [
  `min(${now(METRICS.backendCapacity)} * (1 - ${now(METRICS.backendErrorRate)})`,
  `  or sum(rate(${selector(METRICS.arrivals, { service: ENTRY })}[$__rate_interval])))`,
].join("\n");

/** Marks: for five seconds after another policy has taken over. */
export const NEW_POLICY = `${METRICS.runInfo.name} unless ${METRICS.runInfo.name} offset 5s`;
export const ALERT_FIRES = 'ALERTS{alertname="RetryAmplificationHigh",alertstate="firing"}';
