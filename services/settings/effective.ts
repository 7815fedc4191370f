/** The settings of one command: files, command line and environment put together, and the folder that it writes to. */
import { isAbsolute, join, relative } from "node:path";
import { ConfigError } from "./values.ts";
import { splitOverrides } from "./overrides.ts";
import { resolveEnvironment } from "./resolve.ts";

export interface SettingsRequest {
  /** The project's folder, where policies/ and .env lie. */
  readonly root: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A folder within REPORTS_DIR, for the runs of one comparison. */
  readonly into?: string | undefined;
}

const WITHIN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,80}$/;

/** A relative folder that was typed counts from where it was typed; one that stands in a file, from the project's folder. */
function reportsDir(dir: string, typed: string | undefined, root: string): string {
  const isOurs = typed === undefined && !isAbsolute(dir) && relative(process.cwd(), root) !== "";
  return isOurs ? join(root, dir) : dir;
}

/** Every knob with its value. Throws a ConfigError with all faults. */
export function effectiveSettings({ root, environment, into }: SettingsRequest): Record<string, string> {
  const { explicit, ambient } = splitOverrides(environment);
  const { env } = resolveEnvironment({ root, policy: "naive", overrides: { explicit, ambient } });
  const typed = explicit["REPORTS_DIR"] ?? ambient["REPORTS_DIR"];
  const dir = reportsDir(env["REPORTS_DIR"] ?? "reports", typed, root);
  if (into === undefined) return { ...env, REPORTS_DIR: dir };
  if (!WITHIN.test(into)) {
    throw new ConfigError([`--into ${into}: a plain folder name is needed (letters, digits, ".", "_", "-").`]);
  }
  return { ...env, REPORTS_DIR: join(dir, into) };
}
