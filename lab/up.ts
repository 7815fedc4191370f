/** A chain that stays, for requests by hand. Its process leaves its number in .lab/up.pid for `make down`. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keepUp } from "./worlds/process.ts";
import type { WorldRun } from "./worlds/world.ts";

export async function keepChainUp(root: string, run: WorldRun): Promise<number> {
  const pidFile = join(root, ".lab", "up.pid");
  try {
    return await keepUp(run, ({ tiers }) => {
      mkdirSync(join(root, ".lab"), { recursive: true });
      writeFileSync(pidFile, `${process.pid}\n`);
      console.log(`The chain is up, with the settings of policies/${run.env["POLICY"]}.env. Addresses:`);
      for (const { name, url } of tiers) console.log(`  ${name.padEnd(8)} ${url}`);
      console.log(`Try: curl -i ${tiers[0]?.url}/orders/1`);
      console.log("Its end: Ctrl-C here, or make down in another terminal.");
    });
  } finally {
    rmSync(pidFile, { force: true });
  }
}
