/** What all dashboards have in common. */
import type { Builder } from "@grafana/grafana-foundation-sdk/cog";
import {
  AnnotationQueryBuilder,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  type Dashboard,
  type Panel,
} from "@grafana/grafana-foundation-sdk/dashboard";
import { ALERT_FIRES, NEW_POLICY } from "./expressions.ts";
import { PROMETHEUS } from "./panels.ts";

const TAG = "retry-storm";

export interface DashboardText {
  readonly uid: string;
  readonly title: string;
  readonly description: string;
}

function marks(name: string, expr: string, titleFormat: string, color: string): AnnotationQueryBuilder {
  return new AnnotationQueryBuilder()
    .name(name)
    .datasource(PROMETHEUS)
    .enable(true)
    .iconColor(color)
    .expr(expr)
    .titleFormat(titleFormat)
    .step("1s");
}

/** Five minutes, refreshed every second or so, with a mark where a policy took over and where the alert fires. */
export function dashboard(text: DashboardText, panels: readonly Builder<Panel>[]): Dashboard {
  const builder = new DashboardBuilder(text.title)
    .uid(text.uid)
    .description(text.description)
    .tags([TAG])
    .timezone("browser")
    .time({ from: "now-5m", to: "now" })
    .refresh("5s")
    .readonly()
    .tooltip(DashboardCursorSync.Crosshair)
    .annotation(marks("Policy", NEW_POLICY, "policy {{policy}}", "blue"))
    .annotation(marks("Alert", ALERT_FIRES, "{{alertname}}", "red"))
    .link(new DashboardLinkBuilder("Dashboards").type(DashboardLinkType.Dashboards).tags([TAG]).keepTime(true));
  for (const panel of panels) builder.withPanel(panel);
  return builder.build();
}
