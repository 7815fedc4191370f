/** The settings of one command: files, command line and environment put together, and the folder that it writes to. */
import { join } from "node:path";
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

/** Every knob with its value. Throws a ConfigError with all faults. */
export function effectiveSettings({ root, environment, into }: SettingsRequest): Record<string, string> {
  const { explicit, ambient } = splitOverrides(environment);
  const { env } = resolveEnvironment({ root, policy: "naive", overrides: { explicit, ambient } });
  if (into === undefined) return env;
  if (!WITHIN.test(into)) {
    throw new ConfigError([`--into ${into}: a plain folder name is needed (letters, digits, ".", "_", "-").`]);
  }
  return { ...env, REPORTS_DIR: join(env["REPORTS_DIR"] ?? "reports", into) };
}
