import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { pointResult, type PointResult } from "../sweep/experiment.ts";
import { frontierOf } from "./experiment.ts";
import { frontierText } from "./text.ts";

interface Shown {
  readonly goodput: number;
  readonly amplification?: number;
  readonly limit?: number;
}

/** One policy at one place. */
function point(policy: string, rate: string, errorRate: string, shown: Shown): PointResult {
  const { goodput, amplification = 1.5, limit = 0.9 } = shown;
  const values = {
    success: goodput * limit,
    amplification,
    p50: 10,
    p99: 20,
    goodput,
    calls: 1,
    wasted: 0,
    wastedShare: 0,
    shed: 0,
  };
  const at = { RATE: rate, ERROR_RATE: errorRate };
  return pointResult({ policy, at }, [{ key: policy, valid: true, values, limit }]);
}

const nearestOf = (...points: PointResult[]): string | undefined => frontierOf(points)[0]?.nearest;

describe("The policy that comes nearest to the limit", () => {
  test("is the one with the most of the limit", () => {
    assert.equal(
      nearestOf(point("naive", "60", "0.4", { goodput: 0.2 }), point("owner", "60", "0.4", { goodput: 0.97 })),
      "owner",
    );
  });

  test("is the cheaper one of two that come equally near", () => {
    const dear = point("dear", "60", "0.4", { goodput: 0.953, amplification: 3 });
    const cheap = point("cheap", "60", "0.4", { goodput: 0.95, amplification: 1.4 });
    assert.equal(nearestOf(dear, cheap), "cheap");
    assert.equal(nearestOf(cheap, dear), "cheap");
  });

  test("is the nearer one, however dear, where it is clearly nearer", () => {
    const dear = point("dear", "60", "0.4", { goodput: 0.97, amplification: 3 });
    const cheap = point("cheap", "60", "0.4", { goodput: 0.95, amplification: 1.4 });
    assert.equal(nearestOf(cheap, dear), "dear");
  });

  test("is the one that was named first where nothing tells them apart", () => {
    const [a, b] = ["a", "b"].map((policy) => point(policy, "60", "0.4", { goodput: 1 }));
    assert.ok(a && b);
    assert.equal(nearestOf(a, b), "a");
    assert.equal(nearestOf(b, a), "b");
  });

  test("is found for each load and error rate by itself, with the limit that holds there", () => {
    const cells = frontierOf([
      point("naive", "20", "0", { goodput: 1, limit: 1 }),
      point("naive", "60", "0.4", { goodput: 0.2 }),
      point("owner", "20", "0", { goodput: 0.9, limit: 1 }),
      point("owner", "60", "0.4", { goodput: 0.97 }),
    ]);
    assert.deepEqual(cells, [
      { rate: 20, errorRate: 0, limit: 1, nearest: "naive", ofLimit: 1 },
      { rate: 60, errorRate: 0.4, limit: 0.9, nearest: "owner", ofLimit: 0.97 },
    ]);
  });
});

test("The table has a line for each load, a column for each error rate, and nothing where no run was made", () => {
  const text = frontierText([
    { rate: 20, errorRate: 0, limit: 1, nearest: "naive", ofLimit: 1.004 },
    { rate: 60, errorRate: 0.4, limit: 0.9, nearest: "owner", ofLimit: 0.971 },
  ]);
  const line = (start: string): string => text.split("\n").find((one) => one.includes(`│ ${start} `)) ?? "";
  assert.match(line("RATE"), /│ 0 +│ 0\.4 +│/);
  assert.match(line("20"), /│ 100: naive 100 +│ +│/);
  assert.match(line("60"), /│ +│ 90: owner 97 +│/);
});
