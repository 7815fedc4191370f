/** What an experiment is handed in a test: nothing is shown, nobody interrupts. */
import { fileURLToPath } from "node:url";
import { effectiveSettings } from "../../../services/settings/effective.ts";
import type { ExperimentContext } from "../context.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** @param typed settings as if the user had typed them */
export function contextWith(typed: Readonly<Record<string, string>> = {}): ExperimentContext {
  return {
    settingsFor: (overrides) => {
      const settings = { ...typed, ...overrides };
      const environment = { ...settings, LAB_OVERRIDES: Object.keys(settings).join(" ") };
      return effectiveSettings({ root, environment });
    },
    ambient: {},
    typed: Object.keys(typed),
    interrupt: { stop: new AbortController().signal, onKill: () => {} },
    json: false,
    markdown: false,
    threads: 2,
    say: () => {},
    print: () => {},
    stamp: "test",
  };
}
