/** What commands print for programs: JSON alone on stdout, whatever else they have to say. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { execa } from "execa";
import { serve } from "../../services/http/testdata/http.ts";
import { nodeArguments } from "../../services/real-time/node-arguments.ts";
import { upJson } from "../cli/up.ts";

function lab(t: TestContext, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { PATH = "" } = process.env;
  const child = execa(process.execPath, [...nodeArguments("lab/cli/main"), ...words], {
    env: { PATH, LAB_OVERRIDES: Object.keys(env).join(" "), ...env },
    extendEnv: false,
    reject: false,
    timeout: 60_000, // A child that should have ended fails its test instead of holding it up.
  });
  t.after(() => child.kill("SIGKILL"));
  return child;
}

test("resolve --json is resolve --format json", async (t) => {
  const texts = await Promise.all(
    [["--json"], ["--format", "json"]].map(async (words) => (await lab(t, ["resolve", ...words])).stdout),
  );
  assert.equal(texts[0], texts[1]);
  assert.equal((JSON.parse(texts[0] ?? "") as Record<string, string>)["POLICY"], "naive");
});

test("switch --json tells what the chain runs under now", async (t) => {
  const url = await serve(t, (req, res) => {
    req.resume();
    res.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  const { stdout, exitCode } = await lab(t, ["switch", url, "--json"], { POLICY: "naive", CAPACITY: "70" });
  assert.equal(exitCode, 0);
  assert.deepEqual(JSON.parse(stdout), { policy: "naive", capacity: 70, errorRate: 0.4 });
});

test("up --json tells the tiers' addresses, from the client's side down, and nothing of its processes", () => {
  const tiers = ["edge", "api", "backend"].map((name, i) => ({
    name,
    url: `http://127.0.0.1:${i + 1}`,
    pid: 7,
  }));
  assert.deepEqual(JSON.parse(upJson("owner", tiers)), {
    policy: "owner",
    tiers: [
      { name: "edge", url: "http://127.0.0.1:1" },
      { name: "api", url: "http://127.0.0.1:2" },
      { name: "backend", url: "http://127.0.0.1:3" },
    ],
  });
});
