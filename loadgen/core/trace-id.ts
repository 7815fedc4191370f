/** W3C trace ids that the same seed gives again, so that one order can be found in the logs of two runs. */
import { seededRng } from "../../services/policy/rng.ts";
import { traceKey } from "../../services/policy/rng-keys.ts";

const eightHexDigits = (value: number): string =>
  Math.floor(value * 0x100000000)
    .toString(16)
    .padStart(8, "0");

/** 32 hex digits. */
export function orderTraceId(seed: number, id: string): string {
  const rng = seededRng(seed, traceKey(id));
  return Array.from({ length: 4 }, () => eightHexDigits(rng())).join("");
}

/** The header of a trace's first span. */
export function orderTraceparent(traceId: string): string {
  return `00-${traceId}-${traceId.slice(16)}-01`;
}
