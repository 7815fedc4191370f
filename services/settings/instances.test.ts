import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { instancesOf } from "./instances.ts";
import type { Layer } from "./layers.ts";
import { retryPolicyOf } from "../hop/config.ts";
import { ConfigError, readLayers, readValues } from "./values.ts";

type Env = Record<string, string>;

function problemsOf(env: Env, ...under: Env[]): readonly string[] {
  const layers = [
    ...under.map((settings): Layer => ({ kind: "file", settings })),
    { kind: "typed", settings: env } as const,
  ];
  try {
    readLayers(layers);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const BUCKET = { BUDGET: "token-bucket" };
const SHARED = { ...BUCKET, BUDGET_SCOPE: "fleet" };

const REFUSED: readonly [why: string, env: Env, messages: string[]][] = [
  [
    "the first hop has several instances",
    { EDGE_INSTANCES: "2" },
    [
      "EDGE_INSTANCES=2 does not go with TIERS=edge,api: the load calls one edge. Set it for a hop below, such as API_INSTANCES=2.",
    ],
  ],
  [
    "every hop but the first, in a world that has one of each",
    { INSTANCES: "4", WORLD: "virtual" },
    ["INSTANCES=4 does not go with WORLD=virtual: only local processes can be several. Use WORLD=process."],
  ],
  [
    "several instances in Compose",
    { API_INSTANCES: "4", WORLD: "compose" },
    ["API_INSTANCES=4 does not go with WORLD=compose: only local processes can be several. Use WORLD=process."],
  ],
  [
    "a window is to be shared",
    { API_BUDGET: "window", BUDGET_SCOPE: "fleet" },
    ["BUDGET_SCOPE=fleet does not go with API_BUDGET=window: what is shared is a bucket. Use token-bucket or success."],
  ],
  [
    "a budget is to be shared in virtual time",
    { ...SHARED, WORLD: "virtual" },
    ["BUDGET_SCOPE=fleet does not go with WORLD=virtual: there is no store in virtual time. Use WORLD=process."],
  ],
  [
    "a budget is to be shared in Compose, and no store is named",
    { ...BUCKET, API_BUDGET_SCOPE: "fleet", WORLD: "compose" },
    [
      "API_BUDGET_SCOPE=fleet does not go with WORLD=compose: Compose brings no Redis. Name one that its containers reach (BUDGET_STORE_URL=redis://…), or use WORLD=process.",
    ],
  ],
  [
    "the store's address is none",
    { ...SHARED, BUDGET_STORE_URL: "localhost:6379" },
    [
      'BUDGET_STORE_URL="localhost:6379": it must be an address like redis://127.0.0.1:6379 without user and password, or empty (it is none).',
    ],
  ],
  [
    "the store's address holds a password",
    { ...SHARED, BUDGET_STORE_URL: "redis://me:secret@10.0.0.1:6379" },
    [
      'BUDGET_STORE_URL="redis://…@10.0.0.1:6379": it must be an address like redis://127.0.0.1:6379 without user and password, or empty (it holds a user or a password, which every report would show).',
    ],
  ],
  [
    "a budget is to be shared where there is none",
    { BUDGET_SCOPE: "fleet" },
    ["BUDGET_SCOPE=fleet has no effect with BUDGET=none: it needs a budget."],
  ],
  ...(
    [
      ["BUDGET_LEASE", "5"],
      ["BUDGET_FLOOR_PER_S", "3"],
    ] as const
  ).map(([name, value]): [string, Env, string[]] => [
    `${name} is set and nothing is shared`,
    { ...BUCKET, [name]: value },
    [`${name}=${value} has no effect with BUDGET_SCOPE=instance: it needs fleet.`],
  ]),
  ...(
    [
      ["BUDGET_STORE_URL", "redis://127.0.0.1:6379"],
      ["BUDGET_STORE_TIMEOUT_MS", "10"],
    ] as const
  ).map(([name, value]): [string, Env, string[]] => [
    `${name} is set and nothing is shared`,
    { ...BUCKET, [name]: value },
    [`${name}=${value} has no effect with BUDGET_SCOPE=instance: it needs fleet.`],
  ]),
];

describe("Refused, with what to do about it:", () => {
  for (const [why, env, messages] of REFUSED) {
    test(why, () => assert.deepEqual(problemsOf(env), messages));
  }
});

test("a store that one hop alone uses is no setting without effect", () => {
  const env = { ...BUCKET, API_BUDGET_SCOPE: "fleet", API_INSTANCES: "4" };
  assert.deepEqual(
    problemsOf({ ...env, BUDGET_STORE_URL: "redis://127.0.0.1:6379", BUDGET_STORE_TIMEOUT_MS: "10" }),
    [],
  );
});

test("what is shared is left over, and no fault, where the user switches the budget off", () => {
  assert.deepEqual(problemsOf({ BUDGET: "none" }, SHARED), []);
});

test("what holds for all hops makes several of each but the first", () => {
  const values = readValues({ INSTANCES: "3", TIERS: "gateway,edge,api" });
  assert.deepEqual(
    ["gateway", "edge", "api"].map((hop) => instancesOf(values, hop)),
    [1, 3, 3],
  );
});

test("a hop is told how many it is, and what it may do with a budget that it shares", () => {
  const env = { ...SHARED, API_INSTANCES: "4", BUDGET_LEASE: "3", API_BUDGET_FLOOR_PER_S: "2" };
  const values = readValues(env);
  const [edge, api] = [retryPolicyOf(values, "edge"), retryPolicyOf(values, "api")];
  assert.deepEqual([edge.instances, api.instances], [undefined, 4]);
  assert.deepEqual(edge.budget.fleet, { lease: 3, floorPerSecond: 0.5 });
  assert.deepEqual(api.budget.fleet, { lease: 3, floorPerSecond: 2 });
  assert.equal(retryPolicyOf(readValues(BUCKET), "api").budget.fleet, undefined);
});
