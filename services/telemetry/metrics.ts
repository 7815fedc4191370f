/** prom-client, as the services use it: one registry a service, and metrics that are read only when somebody asks. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { DURATION_BUCKETS, type MetricName } from "./metric-names.ts";

export interface Metrics {
  readonly contentType: string;
  /** The Prometheus text. */
  read(): Promise<string>;
  /** A counter that costs one addition: its label values are resolved here, once. */
  counter<Value extends string>(metric: MetricName, label: string, values: readonly Value[]): Record<Value, Add>;
  /** The same for a counter with two labels. */
  counterBy<First extends string, Second extends string>(
    metric: MetricName,
    labels: readonly [string, string],
    first: readonly First[],
    second: readonly Second[],
  ): Record<First, Record<Second, Add>>;
  plainCounter(metric: MetricName): Add;
  durations<Value extends string>(metric: MetricName, label: string, values: readonly Value[]): Record<Value, Observe>;
  plainDurations(metric: MetricName): Observe;
  /** A gauge that is read when it is scraped. */
  gauge(metric: MetricName, read: () => number): void;
  /** A gauge that is 1 for the value that `read` gives and 0 for the others. */
  state<Value extends string>(metric: MetricName, label: string, values: readonly Value[], read: () => Value): void;
  /** A gauge that is always 1 and says something by its labels; the returned function says something else. */
  info<Label extends string>(metric: MetricName, labels: readonly Label[]): (values: Record<Label, string>) => void;
  /** A counter that something else keeps, read when it is scraped. */
  readCounter(metric: MetricName, read: () => number): void;
  readCounterBy(metric: MetricName, label: string, read: () => Readonly<Record<string, number>>): void;
}

/** Adds one. */
export type Add = () => void;
/** Notes a duration, in seconds. */
export type Observe = (seconds: number) => void;

function record<Key extends string, Value>(keys: readonly Key[], valueOf: (key: Key) => Value): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<Key, Value>;
}

/** @param service the tier's name, the label that every series carries */
export function createMetrics(service: string): Metrics {
  const register = new Registry();
  register.setDefaultLabels({ service });
  collectDefaultMetrics({ register });
  const registers = [register];
  const counterOf = (metric: MetricName, labelNames: readonly string[]): Counter =>
    new Counter({ ...metric, labelNames, registers });
  const histogramOf = (metric: MetricName, labelNames: readonly string[]): Histogram =>
    new Histogram({ ...metric, labelNames, registers, buckets: DURATION_BUCKETS });
  return {
    contentType: register.contentType,
    read: () => register.metrics(),
    counter(metric, label, values) {
      const counter = counterOf(metric, [label]);
      return record(values, (value) => addTo(counter.labels(value)));
    },
    counterBy(metric, labels, first, second) {
      const counter = counterOf(metric, labels);
      return record(first, (one) => record(second, (other) => addTo(counter.labels(one, other))));
    },
    plainCounter: (metric) => addTo(counterOf(metric, [])),
    durations(metric, label, values) {
      const histogram = histogramOf(metric, [label]);
      return record(values, (value) => {
        histogram.zero({ [label]: value }); // As with a counter: without it the first interval has no quantile.
        return observeIn(histogram.labels(value));
      });
    },
    plainDurations: (metric) => observeIn(histogramOf(metric, [])),
    info(metric, labels) {
      const gauge = new Gauge({ ...metric, labelNames: labels, registers });
      return (values) => {
        gauge.reset();
        gauge.set({ ...values }, 1);
      };
    },
    ...readers(registers),
  };
}

function addTo(child: { inc(value?: number): void }): Add {
  child.inc(0); // A series that exists from the start shows its first event as an increase.
  return () => child.inc();
}

function observeIn(child: { observe(value: number): void }): Observe {
  return (seconds) => child.observe(seconds);
}

function readers(registers: Registry[]): Pick<Metrics, "gauge" | "state" | "readCounter" | "readCounterBy"> {
  return {
    gauge(metric, read) {
      const gauge: Gauge = new Gauge({ ...metric, registers, collect: () => gauge.set(read()) });
    },
    state(metric, label, values, read) {
      const collect = (): void => {
        for (const value of values) gauge.set({ [label]: value }, value === read() ? 1 : 0);
      };
      const gauge: Gauge = new Gauge({ ...metric, labelNames: [label], registers, collect });
    },
    readCounter(metric, read) {
      const collect = (): void => {
        counter.reset();
        counter.inc(read());
      };
      const counter: Counter = new Counter({ ...metric, registers, collect });
    },
    readCounterBy(metric, label, read) {
      const collect = (): void => {
        counter.reset();
        for (const [value, count] of Object.entries(read())) counter.inc({ [label]: value }, count);
      };
      const counter: Counter = new Counter({ ...metric, labelNames: [label], registers, collect });
    },
  };
}
