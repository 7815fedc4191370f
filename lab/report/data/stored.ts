/**
 * What comes from a file is checked before anybody uses it: a file may be another program's, of another version, or
 * somebody's own work. The forms are in `stored-forms.ts`.
 */
import type { z } from "zod";
import { readTextFile } from "../../../services/settings/read-file.ts";
import { KnownError, messageOf } from "../../../services/settings/known-error.ts";

/** What a run has left is not what it should be, or not there; the message says which file and why. */
export class ReportError extends KnownError {
  override readonly exitCode = 2;
}

const MOST_FAULTS = 5;
const MOST_SHOWN = 60;

function within(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
}

function ruleOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return `must be ${/^[aeiou]/.test(issue.expected) ? "an" : "a"} ${issue.expected}`;
  if (issue.code === "invalid_value") return `must be one of ${issue.values.join(", ")}`;
  if (issue.code === "too_small") return `must be ${String(issue.minimum)} or more`;
  if (issue.code === "invalid_union") return "must be one that this version reads";
  return `is wrong (${issue.message})`;
}

function faultOf(issue: z.core.$ZodIssue, value: unknown): string {
  const name = issue.path.length === 0 ? "it" : issue.path.join(".");
  const found = within(value, issue.path);
  if (found === undefined) return `${name} is missing`;
  return `${name} ${ruleOf(issue)}, not ${String(JSON.stringify(found)).slice(0, MOST_SHOWN)}`;
}

/**
 * `value` as `form` describes it.
 * @param file what it came from, for people @param what it should be, such as "the summary of a run"
 * @throws ReportError with the fields that are wrong, and what to do
 */
export function checked<Form extends z.ZodType>(
  form: Form,
  value: unknown,
  file: string,
  what: string,
): z.output<Form> {
  const result = form.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.slice(0, MOST_FAULTS).map((issue) => faultOf(issue, value));
  const more = result.error.issues.length - faults.length;
  const all = [...faults, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
  throw new ReportError(`${file} is not ${what}: ${all}. Name another, or make it again with this version.`);
}

/** The JSON in `file`. @throws ReportError */
export function storedJson(file: string): unknown {
  try {
    return JSON.parse(readTextFile(file));
  } catch (error) {
    throw new ReportError(`${file} cannot be read as JSON: ${messageOf(error)}`);
  }
}

/** The text of `file`. @throws ReportError */
export function storedText(file: string, mostBytes?: number): string {
  try {
    return readTextFile(file, mostBytes);
  } catch (error) {
    throw new ReportError(`${file} cannot be read: ${messageOf(error)}`);
  }
}
