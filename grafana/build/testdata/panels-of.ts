/** The panels of a dashboard's JSON, as far as tests look at them. */

export interface DashboardJson {
  readonly title: string;
  readonly annotations: { readonly list: readonly { readonly name: string; readonly expr: string }[] };
  readonly panels: readonly {
    readonly title: string;
    readonly description: string;
    readonly type: string;
    readonly fieldConfig: { readonly defaults: { readonly unit: string } };
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

export interface PanelExpression {
  /** "Storm: Amplification". */
  readonly title: string;
  readonly description: string;
  readonly unit: string;
  readonly expr: string;
}

/** Every expression of every panel, and those of the annotations. */
export function expressionsOf({ title, annotations, panels }: DashboardJson): PanelExpression[] {
  const shown = panels.flatMap(({ title: panel, description, fieldConfig, targets }) =>
    targets.map(({ expr }) => ({
      title: `${title}: ${panel}`,
      description,
      unit: fieldConfig.defaults.unit,
      expr,
    })),
  );
  const marks = annotations.list.map(({ name, expr }) => ({
    title: `${title}: marks of ${name}`,
    description: "a mark on the time axis",
    unit: "none",
    expr,
  }));
  return [...shown, ...marks];
}
