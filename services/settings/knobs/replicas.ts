/** The knobs of the backend's replicas. */
import { STRAGGLERS_BY } from "../../backend/core/config.ts";
import { slowsStragglers } from "../../contract/fault-timeline.ts";
import type { Clash, InForce, Knob } from "./knob.ts";

/** What one digit of x-lab-replica can name. */
const MOST_REPLICAS = 8;

function noSlowReplica({ number, text }: InForce): Clash[] {
  const [slow, replicas] = [number("SLOW_REPLICA"), number("REPLICAS")];
  if (slow === Infinity) return [];
  const clashes: Clash[] = [];
  if (slow > replicas) clashes.push({ with: ["REPLICAS"], why: "there is no such replica" });
  else if (replicas === 1)
    clashes.push({ with: ["REPLICAS"], why: "a slow replica is one among others; use LATENCY_MS" });
  if (number("STRAGGLER_MS") === 0 && !slowsStragglers(text("FAULT_TIMELINE")))
    clashes.push({ with: ["STRAGGLER_MS"], why: "it would not be slower than the others" });
  return clashes;
}

function noWeakReplica({ number }: InForce): Clash[] {
  const [weak, replicas] = [number("WEAK_REPLICA"), number("REPLICAS")];
  if (weak === Infinity) return [];
  if (replicas === 1) return [{ with: ["REPLICAS"], why: "a weak replica is one among others; use a lower CAPACITY" }];
  return weak > replicas ? [{ with: ["REPLICAS"], why: "there is no such replica" }] : [];
}

export const REPLICA_KNOBS = [
  {
    name: "REPLICAS",
    field: "replicas",
    kind: "number",
    default: "1",
    range: { min: 1, max: MOST_REPLICAS, unit: "replicas", whole: true },
    doc: "Replicas of the backend, each with its own queue; CAPACITY, CAPACITY_BURST and QUEUE_LIMIT are divided among them.",
    needs: [{ knob: "THROTTLE", is: ["queue"], what: "queue" }],
  },
  {
    name: "SLOW_REPLICA",
    kind: "number",
    default: "off",
    range: { min: 1, max: MOST_REPLICAS, unit: "(the number of a replica)", whole: true, word: "off" },
    doc: "The replica where every call takes STRAGGLER_MS longer.",
    clashes: noSlowReplica,
  },
  {
    name: "WEAK_REPLICA",
    kind: "number",
    default: "off",
    range: { min: 1, max: MOST_REPLICAS, unit: "(the number of a replica)", whole: true, word: "off" },
    doc: "The replica with less than its even part of CAPACITY; the others divide the rest, so that their queues differ.",
    clashes: noWeakReplica,
  },
  {
    name: "WEAK_REPLICA_SHARE",
    field: "weakShare",
    kind: "number",
    default: "0.5",
    range: { min: 0.01, max: 1, unit: "of an even part" },
    doc: "What the weak replica has of its even part of CAPACITY.",
    needs: [{ knob: "WEAK_REPLICA", isNot: ["off"], what: "a weak replica" }],
  },
  {
    name: "STRAGGLERS_BY",
    field: "stragglersBy",
    kind: "choice",
    default: "call",
    choices: STRAGGLERS_BY,
    doc: "Whether single calls straggle, or all calls of an order: an order is then slow at every replica.",
    needs: [{ knob: "STRAGGLER_SHARE", isNot: ["0"], what: "stragglers" }],
  },
  {
    name: "TIE_CANCEL_MS",
    field: "tieCancelMs",
    kind: "number",
    default: "0",
    range: { min: 0, max: 600_000, unit: "ms" },
    doc: "How long a replica takes to hear that another one has begun with the tied copy.",
    needs: [{ knob: "REPLICAS", isNot: ["1"], what: "two replicas or more" }],
  },
] as const satisfies readonly Knob[];
