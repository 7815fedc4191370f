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

/** A relative folder that was typed counts from where it was typed (LAB_FROM), one that stands in a file from `root`. */
function reportsDir(dir: string, { root, environment }: SettingsRequest): string {
  const from = environment["LAB_FROM"] ?? root;
  const isTyped = (environment["REPORTS_DIR"] ?? "") !== "";
  return isTyped || isAbsolute(dir) || relative(from, root) === "" ? dir : join(root, dir);
}

/** Every knob with its value. Throws a ConfigError with all faults. */
export function effectiveSettings(request: SettingsRequest): Record<string, string> {
  const { root, environment, into } = request;
  const { explicit, ambient } = splitOverrides(environment);
  const { env } = resolveEnvironment({ root, policy: "naive", overrides: { explicit, ambient } });
  const dir = reportsDir(env["REPORTS_DIR"] ?? "reports", request);
  if (into === undefined) return { ...env, REPORTS_DIR: dir };
  if (!WITHIN.test(into)) {
    throw new ConfigError([`--into ${into}: a plain folder name is needed (letters, digits, ".", "_", "-").`]);
  }
  return { ...env, REPORTS_DIR: join(dir, into) };
}
