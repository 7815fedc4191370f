/** What was found of each assertion, a line each. */
import type { Findings } from "./experiment.ts";

export function findingsText({ assertions, invalid }: Findings): string {
  return [
    ...assertions.map(({ text, holds, found }) => `${holds ? "holds" : "FAILS"}  ${text}  (${found})`),
    ...invalid.map(({ policy, runs, validRuns }) => `FAILS  ${policy}: only ${validRuns} of ${runs} runs were valid`),
  ].join("\n");
}
