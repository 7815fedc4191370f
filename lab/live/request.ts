/** What the page's controls may ask for, checked word by word. */
import type { LiveFaults } from "./model.ts";

export type Change =
  | { readonly kind: "policy"; readonly policy: string }
  | { readonly kind: "faults"; readonly faults: LiveFaults }
  | { readonly kind: "trigger" };

export type Read = { readonly change: Change } | { readonly problems: readonly string[] };

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? "nothing";

function policyChange(body: Record<string, unknown>, policies: readonly string[]): Read {
  const policy = policies.find((name) => name === body["policy"]);
  if (policy !== undefined) return { change: { kind: "policy", policy } };
  return { problems: [`policy must be one of ${policies.join(", ")}, not ${shown(body["policy"])}`] };
}

function faultsChange({ capacity, errorRate }: Record<string, unknown>): Read {
  const problems: string[] = [];
  const isNumber = (value: unknown, min: number, max: number): value is number =>
    typeof value === "number" && value >= min && value <= max;
  if (!isNumber(capacity, 1, 10_000))
    problems.push(`capacity must be 1 to 10000 calls per second, not ${shown(capacity)}`);
  if (!isNumber(errorRate, 0, 1)) problems.push(`errorRate must be 0 to 1, not ${shown(errorRate)}`);
  if (problems.length > 0) return { problems };
  return { change: { kind: "faults", faults: { capacity: Number(capacity), errorRate: Number(errorRate) } } };
}

/** @param path such as /policy @param text the body, JSON */
export function readChange(path: string, text: string, policies: readonly string[]): Read {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { problems: ["the body must be JSON"] };
  }
  if (typeof body !== "object" || body === null) return { problems: ["the body must be a JSON object"] };
  const fields = { ...body } as Record<string, unknown>;
  if (path === "/policy") return policyChange(fields, policies);
  if (path === "/faults") return faultsChange(fields);
  return { change: { kind: "trigger" } };
}

export const CHANGES: readonly string[] = ["/policy", "/faults", "/trigger"];
