import assert from "node:assert/strict";
import { test } from "node:test";
import { reconcile, type TierCounts } from "./reconcile.ts";

const tier = (name: string, arrivals: number, attempts = 0, unsent = 0): TierCounts => ({
  name,
  arrivals,
  attempts,
  unsent,
});

const CASES: readonly {
  readonly why: string;
  readonly client: { readonly due: number; readonly unsent: number };
  readonly tiers: readonly TierCounts[];
  readonly clientLost: number;
  readonly lost: readonly number[];
}[] = [
  {
    why: "Counts that follow from each other lose nothing",
    client: { due: 100, unsent: 0 },
    tiers: [tier("edge", 100, 150), tier("api", 150, 200), tier("backend", 200)],
    clientLost: 0,
    lost: [0, 0, 0],
  },
  {
    why: "What never left is not lost",
    client: { due: 100, unsent: 10 },
    tiers: [tier("edge", 90, 150, 30), tier("backend", 120)],
    clientLost: 0,
    lost: [0, 0],
  },
  {
    why: "What left and never arrived is lost, at the hop that sent it",
    client: { due: 100, unsent: 0 },
    tiers: [tier("edge", 97, 150), tier("api", 150, 200), tier("backend", 195)],
    clientLost: 3,
    lost: [0, 5, 0],
  },
  {
    why: "Arrivals that nobody of the chain sent show as a negative loss",
    client: { due: 100, unsent: 0 },
    tiers: [tier("edge", 100, 100), tier("backend", 107)],
    clientLost: 0,
    lost: [-7, 0],
  },
  {
    why: "A backend alone is a chain",
    client: { due: 5, unsent: 0 },
    tiers: [tier("backend", 4)],
    clientLost: 1,
    lost: [0],
  },
];

for (const { why, client, tiers, clientLost, lost } of CASES) {
  test(why, () => assert.deepEqual(reconcile(client, tiers), { clientLost, lost }));
}
