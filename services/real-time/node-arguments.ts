/** What `node` is told to run a program of the project in the form that runs now: compiled beside compiled, source beside source. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * @param main path of the program within the project, without its ending: "services/edge/main"
 * @throws Error where a compiled program is missing
 */
export function nodeArguments(main: string): string[] {
  const source = import.meta.url.endsWith(".ts");
  const file = fileURLToPath(new URL(`../../${main}${source ? ".ts" : ".js"}`, import.meta.url));
  if (!existsSync(file)) throw new Error(`${file} is missing: run "npm run build".`);
  return source ? ["--import", import.meta.resolve("tsx"), file] : [file];
}
