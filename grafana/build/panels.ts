/** The two kinds of panels that the dashboards are made of. */
import type { Builder } from "@grafana/grafana-foundation-sdk/cog";
import {
  BigValueColorMode,
  BigValueGraphMode,
  LegendDisplayMode,
  LegendPlacement,
  LineInterpolation,
  ReduceDataOptionsBuilder,
  StackingConfigBuilder,
  StackingMode,
  TooltipDisplayMode,
  VisibilityMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from "@grafana/grafana-foundation-sdk/common";
import {
  ThresholdsConfigBuilder,
  ThresholdsMode,
  type Panel,
  type Threshold,
} from "@grafana/grafana-foundation-sdk/dashboard";
import { DataqueryBuilder } from "@grafana/grafana-foundation-sdk/prometheus";
import { PanelBuilder as StatBuilder } from "@grafana/grafana-foundation-sdk/stat";
import { PanelBuilder as TimeseriesBuilder } from "@grafana/grafana-foundation-sdk/timeseries";

/** The uid of the provisioned data source. */
export const PROMETHEUS = { type: "prometheus", uid: "lab-prometheus" };

/** Of a dashboard's 24 columns. */
const STAT_SPAN = 6;
const GRAPH_SPAN = 12;

export interface Query {
  readonly expr: string;
  /** What the line is called; `{{label}}` stands for a label's value. */
  readonly legend: string;
}

export interface PanelText {
  readonly title: string;
  /** What to look for. */
  readonly description: string;
  /** Grafana's name of the unit. */
  readonly unit: string;
}

export interface Stat extends PanelText {
  readonly expr: string;
  readonly decimals: number;
  /** From the least value up; the first has no bound. */
  readonly steps: readonly Threshold[];
}

/** One number over the whole range. */
export function stat({ title, description, unit, expr, decimals, steps }: Stat): Builder<Panel> {
  return new StatBuilder()
    .title(title)
    .description(description)
    .datasource(PROMETHEUS)
    .unit(unit)
    .decimals(decimals)
    .height(5)
    .span(STAT_SPAN)
    .graphMode(BigValueGraphMode.None)
    .colorMode(BigValueColorMode.Value)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(["lastNotNull"]))
    .thresholds(new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps([...steps]))
    .withTarget(new DataqueryBuilder().refId("A").datasource(PROMETHEUS).expr(expr).instant());
}

export interface Graph extends PanelText {
  readonly queries: readonly Query[];
  /** Areas on top of each other, for parts of a whole. */
  readonly stacked?: true;
  /** Where the axis starts at the least; 0 where absent. */
  readonly min?: number;
}

/** Lines over time. */
export function graph({ title, description, unit, queries, stacked, min = 0 }: Graph): Builder<Panel> {
  const panel = new TimeseriesBuilder()
    .title(title)
    .description(description)
    .datasource(PROMETHEUS)
    .unit(unit)
    .min(min)
    .height(8)
    .span(GRAPH_SPAN)
    .lineWidth(2)
    .fillOpacity(stacked === true ? 60 : 5)
    .showPoints(VisibilityMode.Never)
    .lineInterpolation(LineInterpolation.Linear)
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom)
        .showLegend(true),
    )
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi));
  if (stacked === true) panel.stacking(new StackingConfigBuilder().mode(StackingMode.Normal).group("A"));
  for (const [i, { expr, legend }] of queries.entries()) {
    const refId = String.fromCodePoint("A".codePointAt(0)! + i);
    panel.withTarget(
      new DataqueryBuilder().refId(refId).datasource(PROMETHEUS).expr(expr).legendFormat(legend).range(),
    );
  }
  return panel;
}
