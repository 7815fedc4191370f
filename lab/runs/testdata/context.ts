/** What an experiment is handed in a test: nothing is shown, nobody interrupts. */
import { fileURLToPath } from "node:url";
import type { ExperimentContext } from "../context.ts";
import { userWords } from "../../../services/settings/user-words.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** @param typed settings as if the user had typed them */
export function contextWith(typed: Readonly<Record<string, string>> = {}): ExperimentContext {
  return {
    ...userWords({ root, environment: { ...typed, LAB_OVERRIDES: Object.keys(typed).join(" ") } }),
    ambient: {},
    interrupt: { stop: new AbortController().signal, onKill: () => {} },
    json: false,
    markdown: false,
    threads: 2,
    say: () => {},
    note: () => {},
    instead: {},
    print: () => {},
    stamp: "test",
  };
}
