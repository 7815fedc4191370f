/** Every expression of every panel, asked as Grafana would ask. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expressionsOf, type DashboardJson, type PanelExpression } from "../../../grafana/build/testdata/panels-of.ts";
import type { Prometheus, Series } from "./prometheus.ts";

const folder = fileURLToPath(new URL("../../../grafana/dashboards/", import.meta.url));

export const expressions: readonly PanelExpression[] = ["storm", "policy-internals"].flatMap((name) =>
  expressionsOf(JSON.parse(readFileSync(`${folder}${name}.json`, "utf8")) as DashboardJson),
);

/** What is seen, by expression. */
export type Seen = ReadonlyMap<string, readonly Series[]>;

export interface Span {
  /** Unix time in seconds. */
  readonly startS: number;
  readonly endS: number;
  /** How often Prometheus asks the programs, in milliseconds. */
  readonly scrapeMs: number;
}

/** Grafana's variables with the values that it gives them, for a dashboard that shows this span. */
function asked(expr: string, { startS, endS, scrapeMs }: Span): string {
  return expr
    .replaceAll("$__range", `${Math.round((endS - startS) * 1000)}ms`)
    .replaceAll("$__rate_interval", `${4 * scrapeMs}ms`);
}

export async function look(prometheus: Prometheus, span: Span): Promise<Seen> {
  const seen = new Map<string, readonly Series[]>();
  for (const { expr } of expressions) {
    const query = asked(expr, span);
    const answer = expr.includes("$__range")
      ? prometheus.instant(query, span.endS)
      : prometheus.range(query, span.startS, span.endS);
    seen.set(expr, await answer);
  }
  return seen;
}

/** What is wrong with the panels, one line each: those that show nothing in any of the looks, or what is no number. */
export function faultsOf(looks: readonly Seen[]): string[] {
  return expressions.flatMap(({ title, expr }) => {
    const points = looks.flatMap((seen) => (seen.get(expr) ?? []).flatMap((series) => series.points));
    if (points.length === 0) return [`${title} shows nothing: ${expr}`];
    const odd = points.find(([, text]) => !Number.isFinite(Number(text)));
    return odd === undefined ? [] : [`${title} shows ${odd[1]}: ${expr}`];
  });
}
