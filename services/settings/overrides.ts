/** Which settings come from whoever typed the command, and which merely happen to be in the environment. */

export interface Overrides {
  /** Named on the command line: an unknown name among them is a fault. */
  readonly explicit: Readonly<Record<string, string>>;
  /** The rest of the environment: only what is called like a knob is taken from it. */
  readonly ambient: Readonly<Record<string, string>>;
}

/**
 * OpenTelemetry's own variables, which say where spans go: the services read them, and they are no settings of a run.
 */
const isOfSpans = (name: string): boolean => name.startsWith("OTEL_");

/**
 * The command line comes through the environment; LAB_OVERRIDES holds the names, separated by spaces. Values stay
 * untouched, whatever characters they have. bin/lab keeps that of an unknown name to itself: here it is empty.
 */
export function splitOverrides(environment: Readonly<Record<string, string | undefined>>): Overrides {
  const names = new Set((environment["LAB_OVERRIDES"] ?? "").split(/\s+/).filter((name) => name !== ""));
  const typed = [...names].filter((name) => !isOfSpans(name));
  const ambient = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && entry[0] !== "LAB_OVERRIDES" && !typed.includes(entry[0]),
  );
  // Object.hasOwn: `environment` has more names than were set, such as "constructor".
  const valueOf = (name: string): string => (Object.hasOwn(environment, name) ? (environment[name] ?? "") : "");
  return {
    explicit: Object.fromEntries(typed.map((name) => [name, valueOf(name)])),
    ambient: Object.fromEntries(ambient),
  };
}

/** What a program needs besides its settings: to be found, to know its user and its terminal. */
const NEEDED = new Set([
  "PATH",
  "HOME",
  "TMPDIR",
  "TZ",
  "LANG",
  "TERM",
  "COLORTERM",
  "COLUMNS",
  "NO_COLOR",
  "FORCE_COLOR",
  "SystemRoot",
]);

export function surroundings(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && (NEEDED.has(entry[0]) || isOfSpans(entry[0])),
  );
  return Object.fromEntries(kept);
}
