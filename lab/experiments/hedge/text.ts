/** What second copies did, as a table. */
import { count, duration, fixed, orDash, percent } from "../../../loadgen/core/format.ts";
import type { Cell } from "cli-table3";
import pc from "picocolors";
import type { Estimate } from "../../runs/statistics.ts";
import { seedsText, textTable } from "../../runs/text.ts";
import type { HedgedArm, HedgeResult } from "./experiment.ts";

const time = (of: Estimate | null): string => duration(of?.median ?? null);
const whole = (of: Estimate | null): string => orDash(count, of?.median ?? null);

function cellsOf({ measured }: HedgedArm): string[] {
  const { p50, p99, p999, calls, served, success, sent, won, suppressed, denied } = measured;
  return [
    percent(success?.median ?? null),
    time(p50),
    time(p99),
    time(p999),
    orDash((each) => fixed(each, 3), calls?.median ?? null),
    orDash((each) => fixed(each, 3), served?.median ?? null),
    whole(sent),
    whole(won),
    `${whole(suppressed)} / ${whole(denied)}`,
  ];
}

const HEAD = ["succeeded", "p50", "p99", "p99.9", "calls per request", "served", "sent", "won", "held back"];

const rowsOf = (scene: string, arms: readonly HedgedArm[]): Cell[][] => [
  [{ colSpan: HEAD.length + 1, content: pc.bold(scene) }],
  ...arms.map((arm) => [`  ${arm.name}`, ...cellsOf(arm)]),
];

/** The text, without a line end. */
export function hedgeText({ seeds, around, arms }: HedgeResult): string {
  const scenes = [...new Set(arms.map(({ scene }) => scene))];
  const rows = scenes.flatMap((scene) =>
    rowsOf(
      scene,
      arms.filter((arm) => arm.scene === scene),
    ),
  );
  const spread = `${seeds.length === 1 ? "" : "medians of "}${seedsText(seeds)}`;
  const { durationS, replicas, attempts } = around;
  const retries = attempts === 1 ? "no retries" : `at most ${attempts} attempts a hop`;
  const place = `${durationS} s, ${replicas} replicas, ${retries}`;
  return `${textTable(["second copies", ...HEAD], rows)}\nvirtual, ${spread}; ${place}.\nServed: calls that the backend served, for each request. Held back: by signs of overload / by the hedge budget. What it says: docs/hedging.md`;
}
