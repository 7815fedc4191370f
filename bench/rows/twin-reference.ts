/** How long the reference run of 20 s takes in virtual time. */
import { referenceConfig, runAndRecord, type SettingName } from "../../lab/worlds/virtual/testdata/reference.ts";
import { ranged, measured, secondsOf } from "../measure.ts";
import type { Bench, Row } from "../row.ts";
import { count, duration } from "../../loadgen/core/format.ts";

const title = "The twin against real time: 60/s for 20 s";
const goal = "naive in at most 100 ms, hence 200x real time";

const GOAL_MS = 100;
const REPEATS = 15;

function rowOf(name: SettingName): Row {
  let calls = 0;
  const times = Array.from({ length: REPEATS }, (_, seed) =>
    secondsOf(() => {
      calls = runAndRecord(referenceConfig(name, seed + 1)).result.backend.arrivals;
    }),
  );
  const ms = measured(times.map((seconds) => seconds * 1000));
  return {
    what: `${name} (about ${calls} backend calls)`,
    ours: ranged(ms, 0, " ms"),
    peer: "20,000 ms",
    ratio: `${count(20_000 / ms.median)}x`,
    met: ms.median <= GOAL_MS,
  };
}

/** What a person waits for: nothing is compiled yet. */
function firstRun(): Row {
  const ms = secondsOf(() => void runAndRecord(referenceConfig("naive", 1))) * 1000;
  return {
    what: "naive, the first run of the process",
    ours: duration(ms),
    peer: "20,000 ms",
    ratio: `${count(20_000 / ms)}x`,
    met: null,
  };
}

async function run(): Promise<Row[]> {
  const first = firstRun();
  return [first, ...(["naive", "budgeted", "owner"] as const).map(rowOf)];
}

export default { title, goal, run } satisfies Bench;
