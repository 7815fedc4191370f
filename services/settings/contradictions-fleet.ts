/** Settings of a hop of several instances, and of a budget that they share, which are senseless together. */
import { nameFor, type Contradiction } from "./contradictions.ts";
import { instancesOf } from "./instances.ts";
import type { Values } from "./values-type.ts";

function instancesAt(values: Values, hop: string, tiers: readonly string[]): Contradiction[] {
  const instances = instancesOf(values, hop);
  if (instances === 1) return [];
  const name = nameFor(values, "INSTANCES", hop);
  const world = values.text("WORLD");
  const found: Contradiction[] = [];
  if (hop === tiers[0]) {
    const [, below = "api"] = tiers;
    const text = `${name}=${instances} does not go with TIERS=${tiers.join(",")}: the load calls one ${hop}. Set it for a hop below, such as ${below.toUpperCase()}_INSTANCES=${instances}.`;
    found.push({ names: [name, "TIERS"], text });
  }
  if (world === "compose" || world === "virtual") {
    const text = `${name}=${instances} does not go with WORLD=${world}: only local processes can be several. Use WORLD=process.`;
    found.push({ names: [name, "WORLD"], text });
  }
  return found;
}

function scopeAt(values: Values, hop: string): Contradiction[] {
  const budget = values.text("BUDGET", hop);
  if (values.text("BUDGET_SCOPE", hop) !== "fleet" || budget === "none") return [];
  const name = nameFor(values, "BUDGET_SCOPE", hop);
  const world = values.text("WORLD");
  const found: Contradiction[] = [];
  if (budget === "window" || budget === "decayed") {
    const by = nameFor(values, "BUDGET", hop);
    const text = `${name}=fleet does not go with ${by}=${budget}: what is shared is a bucket. Use token-bucket or success.`;
    found.push({ names: [name, by], text });
  }
  if (world === "virtual") {
    const text = `${name}=fleet does not go with WORLD=virtual: there is no store in virtual time. Use WORLD=process.`;
    found.push({ names: [name, "WORLD"], text });
  }
  if (world === "compose" && values.text("BUDGET_STORE_URL") === "") {
    const text = `${name}=fleet does not go with WORLD=compose: Compose brings no Redis. Name one that its containers reach (BUDGET_STORE_URL=redis://…), or use WORLD=process.`;
    found.push({ names: [name, "WORLD"], text });
  }
  return found;
}

/** Each once. @param tiers the hops, from the client's side down */
export function fleetContradictions(values: Values, tiers: readonly string[]): Contradiction[] {
  const all = tiers.flatMap((hop) => [...instancesAt(values, hop, tiers), ...scopeAt(values, hop)]);
  return [...new Map(all.map((found) => [found.text, found])).values()];
}
