/** The places of charts in a page: legend, picture, and a caption that states the finding in numbers. */
import { markup, NOTHING, type Markup, type Part } from "./markup.ts";
import type { Mark } from "../data/model.ts";
import { seconds } from "../../../loadgen/core/format.ts";

export interface FigureParts {
  /** Which chart of `charts/page.ts`. */
  readonly chart: string;
  /** Which run, map or ablation of the page's data; 0 by default. */
  readonly index?: number;
  readonly finding: string;
  readonly legend?: readonly LegendEntry[];
  readonly marks?: readonly Mark[];
}

export interface LegendEntry {
  readonly name: string;
  /** A variable of the style sheet, or a url of a pattern. */
  readonly color: string;
  readonly look: "line" | "area" | "band" | "bar" | "dot" | "cross" | "tick";
  /** SVG's stroke-dasharray. */
  readonly dash?: string;
}

function swatch({ color, look, dash = "none" }: LegendEntry): Markup {
  if (look === "area")
    return markup`<rect y="3" width="48" height="16" fill="${color}" fill-opacity="0.3" /><path
        d="M0 4H48"
        stroke="${color}"
        stroke-width="3"
      />`;
  if (look === "band") return markup`<rect y="2" width="48" height="18" fill="${color}" fill-opacity="0.3" />`;
  if (look === "bar") return markup`<rect x="8" y="2" width="32" height="16" fill="${color}" stroke="var(--ink)" />`;
  if (look === "dot") return markup`<circle cx="24" cy="11" r="5" fill="${color}" />`;
  if (look === "cross") return markup`<path d="M18 5l12 12m0-12l-12 12" stroke="${color}" stroke-width="3" />`;
  if (look === "tick") return markup`<path d="M24 0V22" stroke="${color}" stroke-width="5" />`;
  return markup`<path d="M0 11H48" stroke="${color}" stroke-width="4.5" stroke-dasharray="${dash}" />`;
}

/** The key of a chart; nothing where it has none. */
export function legend(entries: readonly LegendEntry[] = []): Markup {
  if (entries.length === 0) return NOTHING;
  const items = entries.map(
    (entry) =>
      markup`<li>
        <svg viewBox="0 0 48 22" aria-hidden="true" focusable="false">${swatch(entry)}</svg>${entry.name}
      </li>`,
  );
  return markup`<ul class="legend" aria-label="Legend">
    ${items}
  </ul>`;
}

function moments(marks: readonly Mark[] = []): Markup {
  if (marks.length === 0) return NOTHING;
  const items = marks.map(({ key, tS, text }) => markup`<li><strong>${key}</strong> at ${seconds(tS)}: ${text}</li>`);
  return markup`<ul class="moments" aria-label="What changed at the backend">
    ${items}
  </ul>`;
}

export function figure({ chart, index = 0, finding, legend: entries, marks }: FigureParts): Markup {
  return markup`<figure>
    ${legend(entries)}
    <div class="chart" data-chart="${chart}" data-index="${index}"></div>
    <figcaption>
      <p>${finding}</p>
      ${moments(marks)}
    </figcaption>
  </figure>`;
}

/** A part of the page with a heading that names it for those who go by landmarks. Titles are unique within a page. */
export function section(title: string, ...content: readonly Part[]): Markup {
  const id = title.toLowerCase().replace(/[^a-z0-9]+/gu, "-");
  return markup`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`;
}
