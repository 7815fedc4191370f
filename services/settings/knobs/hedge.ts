/** The knobs of the backend's replicas, and of second copies (hedged and tied requests) at the hop that calls it. */
import { STRAGGLERS_BY } from "../../backend/core/config.ts";
import { HEDGE_KINDS } from "../../policy/hedge/hedge.ts";
import type { Knob } from "./knob.ts";

/** What one digit of x-lab-replica can name. */
const MOST_REPLICAS = 8;

export const HEDGE_KNOBS: readonly Knob[] = [
  {
    name: "HEDGE",
    kind: "choice",
    default: "off",
    choices: HEDGE_KINDS,
    doc: "When a read gets a second copy at another replica: after a delay, when slower than most, or at once (tied: one of the two is served).",
  },
  {
    name: "HEDGE_DELAY_MS",
    kind: "number",
    default: "10",
    min: 0,
    max: 600_000,
    unit: "ms",
    doc: "With HEDGE=delay: how long to wait for the first copy.",
  },
  {
    name: "HEDGE_QUANTILE",
    kind: "number",
    default: "0.95",
    min: 0.5,
    max: 0.999,
    unit: "of the recent attempts",
    doc: "With HEDGE=quantile: the share of attempts that are answered before a second copy is due.",
  },
  {
    name: "HEDGE_RATIO",
    kind: "number",
    default: "0.05",
    min: 0,
    max: 1,
    unit: "second copies per request",
    doc: "Second copies that each request earns; tied requests need 1 for each to have one.",
  },
].map((knob) => ({ ...knob, perHop: true }) as Knob);

export const REPLICA_KNOBS: readonly Knob[] = [
  {
    name: "REPLICAS",
    kind: "number",
    default: "1",
    min: 1,
    max: MOST_REPLICAS,
    unit: "replicas",
    whole: true,
    doc: "Replicas of the backend, each with its own queue; CAPACITY, CAPACITY_BURST and QUEUE_LIMIT are divided among them.",
  },
  {
    name: "SLOW_REPLICA",
    kind: "number",
    default: "off",
    min: 1,
    max: MOST_REPLICAS,
    unit: "(the number of a replica)",
    whole: true,
    word: "off",
    doc: "The replica where every call takes STRAGGLER_MS longer.",
  },
  {
    name: "STRAGGLERS_BY",
    kind: "choice",
    default: "call",
    choices: STRAGGLERS_BY,
    doc: "Whether luck picks the calls that straggle, or the orders: an order is then slow at every replica.",
  },
  {
    name: "TIE_CANCEL_MS",
    kind: "number",
    default: "0",
    min: 0,
    max: 600_000,
    unit: "ms",
    doc: "How long a replica takes to hear that another one has begun with the tied copy.",
  },
];
