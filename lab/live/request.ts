/** What the page's controls may ask for, checked word by word. */
import { faultsBy, LIVE_FAULTS, rangeOf } from "../../services/contract/faults.ts";
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

function faultsChange(body: Record<string, unknown>): Read {
  const problems = LIVE_FAULTS.flatMap((fault) => {
    const { key, live } = fault;
    const given = body[key];
    if (given === undefined && "optional" in fault) return [];
    if (typeof given === "number" && given >= live.min && given <= live.max) return [];
    return [`${key} must be ${rangeOf(fault, live)}, not ${shown(given)}`];
  });
  if (problems.length > 0) return { problems };
  const named = LIVE_FAULTS.filter(({ key }) => body[key] !== undefined);
  return { change: { kind: "faults", faults: faultsBy(named, ({ key }) => Number(body[key])) } };
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
