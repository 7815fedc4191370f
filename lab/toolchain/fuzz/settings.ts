/** The doors of settings: names and values, files of them, timelines and profiles. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { loadConfigOf } from "../../../loadgen/core/config.ts";
import { offered } from "../../../loadgen/core/schedule.ts";
import { backendConfigOf } from "../../../services/backend/config.ts";
import { createBackend } from "../../../services/backend/core/model.ts";
import { parseTimeline } from "../../../services/contract/fault-timeline.ts";
import { retryPolicyOf } from "../../../services/hop/config.ts";
import { parseProfile } from "../../../services/settings/rate-profile.ts";
import { resolveEnvironment } from "../../../services/settings/resolve.ts";
import { readLayers, readValues, tiersOf, type Values } from "../../../services/settings/values.ts";
import { VirtualClock } from "../../../services/virtual-time/clock.ts";
import { takenOrTold, type Door } from "./door.ts";
import { anyText, settingName, settingValue, someSettings, timelineText } from "./words.ts";

/** Settings that were taken make every program's own, and read again they are the same. */
function usable(values: Values): void {
  const effective = values.effective();
  for (const hop of tiersOf(effective)) retryPolicyOf(values, hop);
  createBackend(backendConfigOf(values), new VirtualClock(), 1);
  loadConfigOf(values);
  assert.deepEqual(readValues(effective).effective(), effective);
}

const layers: Door = {
  name: "settings",
  open: () =>
    fc.asyncProperty(fc.constantFrom("file", "typed", "ambient"), someSettings, someSettings, (kind, lower, upper) =>
      takenOrTold(() =>
        usable(
          readLayers([
            { kind: "file", settings: lower, where: () => "a file" },
            { kind, settings: upper },
          ]),
        ),
      ),
    ),
};

const line = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(settingName, settingValue).map(([name, value]) => `${name}=${value}`) },
  fc.tuple(settingName, fc.constantFrom('="', "='", "=`", "= #", " = "), settingValue).map((parts) => parts.join("")),
  anyText,
);

const files: Door = {
  name: "policy files",
  open: (closing) => {
    const root = mkdtempSync(join(tmpdir(), "fuzz-"));
    closing(() => rmSync(root, { recursive: true }));
    mkdirSync(join(root, "policies"));
    const fileText = fc.array(line, { maxLength: 6 }).map((lines) => lines.join("\n"));
    return fc.asyncProperty(fileText, fileText, anyText, (policy, own, name) => {
      writeFileSync(join(root, "policies", "naive.env"), policy);
      writeFileSync(join(root, ".env"), own);
      return takenOrTold(() => {
        const explicit = name.startsWith("A") ? {} : { POLICY: name };
        resolveEnvironment({ root, policy: "naive", overrides: { explicit, ambient: {} } });
      });
    });
  },
};

const timelines: Door = {
  name: "timelines and profiles",
  open: () =>
    fc.property(timelineText, (text) => {
      const timeline = parseTimeline(text);
      const { steps, problems } = parseProfile(text);
      if (timeline.problems.length === 0) assert.ok(timeline.steps.every(({ atMs }) => atMs >= 0));
      if (problems.length === 0) assert.ok(offered({ rate: 60, durationS: 20, rateProfile: steps }) >= 0);
    }),
};

export const SETTING_DOORS: readonly Door[] = [layers, files, timelines];
