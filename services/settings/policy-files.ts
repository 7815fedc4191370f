/** The files that settings come from: policies/<name>.env and .env. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseDotenv } from "./dotenv.ts";
import type { Layer } from "./layers.ts";
import { CATALOGUE, plainName, policyName } from "./knobs/run.ts";
import { readTextFile } from "./read-file.ts";

/** What a file says, and what is wrong with it, one sentence for each fault. */
export interface SettingsFile {
  readonly layer: Layer;
  readonly problems: readonly string[];
}

const NOTHING: Layer = { kind: "file", settings: {} };

function readSettings(root: string, label: string): SettingsFile {
  let text: string;
  try {
    text = readTextFile(join(root, label));
  } catch (error) {
    return { layer: NOTHING, problems: [`${label} cannot be read: ${(error as Error).message}.`] };
  }
  const { settings, lines, problems } = parseDotenv(text);
  const where = (name: string): string => `${label} line ${lines.get(name)}`;
  return {
    layer: { kind: "file", settings, where },
    problems: problems.map((problem) => `${label} line ${problem.line}: ${problem.text}`),
  };
}

function namesIn(folder: string): string[] {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files
    .filter((file) => file.endsWith(".env") && existsSync(join(folder, file)))
    .map((file) => file.slice(0, -".env".length))
    .filter((name) => plainName(name).length === 0)
    .toSorted();
}

/** The names of the policies in policies/, sorted; without the catalogue. */
export function policyNames(root: string): string[] {
  return namesIn(join(root, "policies"));
}

/** The names of the catalogue's policies as POLICY takes them, sorted: production/aws-2026. */
export function catalogueNames(root: string): string[] {
  return namesIn(join(root, "policies", CATALOGUE)).map((name) => `${CATALOGUE}/${name}`);
}

/** policies/<name>.env; a problem names the policies there are. */
export function readPolicy(root: string, name: string): SettingsFile {
  if (policyName(name).length === 0 && existsSync(join(root, "policies", `${name}.env`))) {
    const file = readSettings(root, `policies/${name}.env`);
    if (file.layer.settings["POLICY"] === undefined) return file;
    const where = file.layer.where?.("POLICY");
    const own = `${where}: POLICY cannot be set here: it names this very file. Leave it out.`;
    return { ...file, problems: [...file.problems, own] };
  }
  const shown = JSON.stringify(name.slice(0, 80));
  const names = [...policyNames(root), ...catalogueNames(root)].join(", ") || "none yet";
  const problem = `POLICY=${shown}: it must be the name of a file in policies/, without ".env". There are: ${names}.`;
  return { layer: NOTHING, problems: [problem] };
}

/** The user's own .env; nothing where there is none. */
export function readDotEnv(root: string): SettingsFile {
  return existsSync(join(root, ".env")) ? readSettings(root, ".env") : { layer: NOTHING, problems: [] };
}
