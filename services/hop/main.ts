/** A hop of any name, for chains with further tiers: `node services/hop/main.ts gateway`, or TIER=gateway. */
import { isTierName } from "../settings/tiers.ts";
import { runHop } from "./app.ts";

const name = process.argv[2] ?? process.env["TIER"] ?? "";

if (isTierName(name)) runHop(name);
else {
  const given = name === "" ? "none was given" : `not "${name.slice(0, 60)}"`;
  console.error(`hop: the tier's name must be a small letter, then up to 30 small letters or digits; ${given}.`);
  console.error("  Give it as the first argument or as TIER, for example: TIER=gateway");
  process.exitCode = 2;
}
