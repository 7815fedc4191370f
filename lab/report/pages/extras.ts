/** The parts of a page that experiments fill: maps and ablations. */
import { ablationTable, mapTable } from "./extra-tables.ts";
import { figure, section } from "./figures.ts";
import * as legends from "./legends.ts";
import { markup, type Markup } from "./markup.ts";
import type { AblationData, PhaseMap } from "../data/model.ts";
import { folded } from "./tables.ts";

/** Results of experiments, to be shown. Titles are unique within a page. */
export interface Extras {
  readonly maps?: readonly PhaseMap[];
  readonly ablations?: readonly AblationData[];
}

export function extraSections({ maps = [], ablations = [] }: Extras): Markup {
  const ablated = ablations.map((ablation, index) =>
    section(ablation.title, figure({ chart: "ablation", index, finding: ablation.finding }), ablationTable(ablation)),
  );
  const mapped = maps.map((map, index) =>
    section(
      map.title,
      figure({ chart: "map", index, finding: map.finding, legend: legends.mapLegend(map) }),
      folded("The cells in numbers", mapTable(map)),
    ),
  );
  return markup`${ablated}${mapped}`;
}
