import assert from "node:assert/strict";
import { test } from "node:test";
import { beginRun } from "./prepare.ts";
import { backend } from "../testdata/facts.ts";
import { sceneOf, tierAs } from "../testdata/stage.ts";
import { TierError, type Tier } from "./tiers.ts";

test("A run begins at the deepest tier first, and each is told the seed; the answers are in the chain's order", async () => {
  const told: string[] = [];
  const tiers = ["edge", "api", "backend"].map((name) =>
    tierAs(name, {
      beginRun: async (seed) => {
        told.push(`${name} ${seed}`);
        return { ...backend({}).description, service: name };
      },
    }),
  );
  const answers = await beginRun(sceneOf(tiers), 9);
  assert.deepEqual(told, ["backend 9", "api 9", "edge 9"]);
  assert.deepEqual(
    answers.map(({ service }) => service),
    ["edge", "api", "backend"],
  );
});

test("A tier that is still busy is asked again, for 5 s at most; any other refusal is final", async () => {
  const refusing = (times: number, isBusy: boolean) => {
    let asked = 0;
    const beginRun: Tier["beginRun"] = async () => {
      asked += 1;
      if (asked > times) return backend({}).description;
      throw new TierError("backend: refused", isBusy);
    };
    return { scene: sceneOf([tierAs("backend", { beginRun })]), asked: () => asked };
  };
  const soon = refusing(3, true);
  assert.equal((await beginRun(soon.scene, 1)).length, 1);
  assert.equal(soon.scene.time.ms, 300);
  const busy = refusing(Infinity, true);
  await assert.rejects(beginRun(busy.scene, 1), TierError);
  assert.equal(busy.scene.time.ms, 5000);
  const broken = refusing(Infinity, false);
  await assert.rejects(beginRun(broken.scene, 1), TierError);
  assert.equal(broken.asked(), 1);
});
