/** What a verb of the lab prints, for pages: run here, in this process and in virtual time. */
import { labProgram } from "../../cli/program.ts";

const SETTING = /^([A-Z][A-Z0-9_]*)=(.*)$/u;

/** Words as a shell would hand them on. Quotes keep blanks together; nothing else of a shell is known. */
export function wordsOf(command: string): string[] {
  const words = command.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/gu) ?? [];
  return words.map((word) => word.replaceAll(/["']/gu, ""));
}

export interface Place {
  /** The project's folder. */
  readonly root: string;
  /** Where the runs leave what they leave. */
  readonly reports: string;
}

/** @throws Error that names the command when it is none of the lab, fails, or has an invalid run */
export async function printedBy(command: string, { root, reports }: Place): Promise<string> {
  const [program, ...words] = wordsOf(command);
  if (program !== "bin/lab") throw new Error(`"${command}": a figure is made by bin/lab`);
  // What stands behind an option is its value: --vary RATE=20,40.
  const isSetting = (word: string, i: number): boolean => SETTING.test(word) && words[i - 1]?.startsWith("--") !== true;
  const settings = words.filter(isSetting).map((word) => {
    const [, name = "", value = ""] = SETTING.exec(word) ?? [];
    return [name, value] as const;
  });
  const typed = Object.fromEntries([...settings, ["REPORTS_DIR", reports]]);
  const printed: string[] = [];
  const home = {
    root,
    environment: { ...typed, LAB_OVERRIDES: Object.keys(typed).join(" ") },
    print: (text: string): void => void printed.push(text),
  };
  const options = words.filter((word, i) => !isSetting(word, i));
  process.exitCode = 0;
  await labProgram(home).parseAsync([...options, "--markdown"], { from: "user" });
  if (process.exitCode !== 0) throw new Error(`"${command}" ended with exit code ${process.exitCode}`);
  return printed.join("\n");
}
