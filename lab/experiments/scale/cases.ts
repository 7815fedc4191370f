/**
 * One retry budget for a fleet, written down once, and four ways to give it to a hundred instances.
 *
 *     copied    each instance has the whole budget: what a policy file in every container does
 *     divided   each has a hundredth of whatever in it is not a share of the traffic
 *     leased    they share one through a store, and hold two retries ready each (services/policy/budget/fleet.ts)
 *     shared    they share one, as if there were no distance between them: what is meant by "fleet-wide"
 *
 * A share of the traffic needs no sharing: 20 % of each is 20 % of all. Copies multiply the rest, which is burst, start
 * level and floor; parts round down to nothing, and lie idle where they are not needed.
 */
import type { BudgetPolicy } from "../../../services/policy/budget/budget.ts";

export const SCALE_ARMS = ["copied", "divided", "leased", "shared"] as const;
export type ScaleArm = (typeof SCALE_ARMS)[number];

export interface Fleet {
  readonly clients: number;
  readonly instances: number;
}

export const FLEET: Fleet = { clients: 10_000, instances: 100 };

export const SCALE = {
  /** Milliseconds between two requests of one client. */
  periodMs: 10_000,
  /** Calls a second for each request a second: room for 25 % of retries. */
  headroom: 1.25,
  beginsS: 10,
  endsS: 30,
  /** From here on it is looked whether the fleet is well again. */
  lateS: 40,
  overS: 45,
} as const;

export interface ScaleCase {
  readonly name: string;
  /** One line for people. */
  readonly what: string;
  /** The budget of the whole fleet. */
  readonly budget: BudgetPolicy;
  /** Share of the calls that fail while it lasts. */
  readonly errorRate: number;
  /** Seconds; SCALE.beginsS where absent. */
  readonly beginsS?: number;
  /** Whether they fail at one instance alone: its own link, or its zone. */
  readonly atOne?: boolean;
  /** Share of the clients that the balancer sends to the first instance; as many as to any other where absent. */
  readonly hotShare?: number;
}

const bucketOf = (terms: Partial<BudgetPolicy>): BudgetPolicy => ({
  kind: "token-bucket",
  ratio: 0.2,
  burst: 100,
  start: 0,
  minPerSecond: 0,
  ...terms,
});

export const SCALE_CASES: readonly ScaleCase[] = [
  {
    name: "saved up",
    what: "20 %, burst 100; half of the calls fail for 20 s",
    budget: bucketOf({}),
    errorRate: 0.5,
  },
  {
    name: "start level",
    what: "20 %, burst 100, start 100; half of the calls fail from the first second after a deployment on",
    budget: bucketOf({ start: 100 }),
    errorRate: 0.5,
    beginsS: 1,
  },
  {
    name: "floor",
    what: "10 %, burst 100, floor 10/s; half of the calls fail for 20 s",
    budget: bucketOf({ ratio: 0.1, minPerSecond: 10 }),
    errorRate: 0.5,
  },
  {
    name: "small burst",
    what: "20 %, burst 20: a hundredth of it holds no whole retry; half of the calls fail",
    budget: bucketOf({ burst: 20 }),
    errorRate: 0.5,
  },
  {
    name: "hot instance",
    what: "floor 150/s and no share; one instance has 30 % of the clients, a tenth of all calls fails",
    budget: bucketOf({ ratio: 0, burst: 150, minPerSecond: 150 }),
    errorRate: 0.1,
    hotShare: 0.3,
  },
  {
    name: "one bad link",
    what: "20 %, burst 100; 60 % of the calls of one instance fail, and of no other",
    budget: bucketOf({}),
    errorRate: 0.6,
    atOne: true,
  },
];

/** The instance of each client, which it stays with. */
export function instanceOf(client: number, { clients, instances }: Fleet, hotShare?: number): number {
  if (hotShare === undefined || instances === 1) return client % instances;
  return client < clients * hotShare ? 0 : 1 + (client % (instances - 1));
}
