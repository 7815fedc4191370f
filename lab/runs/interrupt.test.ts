/** What is done to what still runs when the lab ends at once. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { nodeArguments } from "../../services/real-time/node-arguments.ts";

const words = nodeArguments("lab/runs/interrupt");
const file = pathToFileURL(words.pop() ?? "").href;

test("A lab that ends at once ends what still runs, and no longer knows of what was over", () => {
  const script = `
    import { listenForInterrupts } from "${file}";
    const { onKill } = listenForInterrupts(console.error);
    const first = new AbortController();
    onKill(() => console.log("killed the first"), first.signal);
    onKill(() => console.log("killed the second"), new AbortController().signal);
    first.abort();
    process.exit(1);`;
  const evaluated = [...words, "--input-type=module", "--eval", script];
  const { status, stdout, stderr } = spawnSync(process.execPath, evaluated, { encoding: "utf8" });
  assert.deepEqual([status, stdout, stderr], [1, "killed the second\n", ""]);
});
