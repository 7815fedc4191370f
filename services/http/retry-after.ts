/**
 * What Retry-After asks for (RFC 9110 §10.2.3): whole seconds, or an HTTP date in any of the three forms that a
 * receiver must understand. Anything else says nothing.
 */

/** No callee can send a caller away for longer: a day, in seconds. */
export const LONGEST_RETRY_AFTER_S = 86_400;

const DELAY = /^\d{1,400}$/;
const DATE_WITH_ZONE = /^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/;
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/**
 * Seconds to stay away, a whole number from 0 to `LONGEST_RETRY_AFTER_S`; undefined where the header says nothing.
 * A date in the past is 0.
 * @param nowMs the wall clock, milliseconds since 1970; read only for a date
 */
export function retryAfterSeconds(header: string | undefined, nowMs: () => number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (DELAY.test(text)) return Math.min(LONGEST_RETRY_AFTER_S, Number(text));
  const isAsctime = ASCTIME_DATE.test(text);
  if (!isAsctime && !DATE_WITH_ZONE.test(text)) return undefined;
  const at = Date.parse(isAsctime ? `${text} GMT` : text);
  if (Number.isNaN(at)) return undefined;
  return Math.min(LONGEST_RETRY_AFTER_S, Math.max(0, Math.ceil((at - nowMs()) / 1000)));
}
