/** The files that settings come from: policies/<name>.env and .env. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "dotenv";
import { ConfigError } from "../services/platform/config-error.ts";

export interface SettingsFile {
  /** As a person names it: policies/naive.env */
  readonly label: string;
  readonly settings: Readonly<Record<string, string>>;
  /** The line on which a name is set, 1 or more. */
  lineOf(name: string): number;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Lines that are neither a comment, nor empty, nor a setting: dotenv would pass over them in silence. */
function strayLines(label: string, lines: readonly string[]): string[] {
  return lines.flatMap((line, i) =>
    /^\s*(#.*)?$|^\s*(export\s+)?[A-Za-z_][A-Za-z0-9_]*\s*=/.test(line)
      ? []
      : [`${label} line ${i + 1}: "${line.trim()}" must read NAME=value`],
  );
}

function readSettings(root: string, label: string): SettingsFile {
  const text = readFileSync(join(root, label), "utf8");
  const lines = text.split(/\r?\n/);
  const stray = strayLines(label, lines);
  if (stray.length > 0) throw new ConfigError(stray);
  const lineOf = (name: string): number =>
    lines.findLastIndex((line) => new RegExp(`^\\s*(export\\s+)?${name}\\s*=`).test(line)) + 1;
  return { label, settings: parse(text), lineOf };
}

/** The names of all policies, sorted. */
export function policyNames(root: string): string[] {
  const files = readdirSync(join(root, "policies"));
  return files
    .filter((file) => file.endsWith(".env"))
    .map((file) => file.slice(0, -4))
    .toSorted();
}

/** policies/<name>.env. Throws a ConfigError that names the policies there are. */
export function readPolicy(root: string, name: string): SettingsFile {
  const label = `policies/${name}.env`;
  if (!NAME.test(name) || !existsSync(join(root, label))) {
    const names = policyNames(root).join(", ");
    throw new ConfigError([`POLICY=${name}: there is no policies/${name}.env; there are ${names}`]);
  }
  return readSettings(root, label);
}

/** The user's own .env, where there is one. */
export function readDotEnv(root: string): SettingsFile | undefined {
  return existsSync(join(root, ".env")) ? readSettings(root, ".env") : undefined;
}
