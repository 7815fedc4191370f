/** The report of an experiment of many runs, of which none is shown by itself: its maps and its ablations. */
import type { Assets } from "./assets.ts";
import { document } from "./document.ts";
import { extraSections, type Extras } from "./extras.ts";
import { section } from "./figures.ts";
import { markup } from "./markup.ts";

export interface Experiment extends Extras {
  readonly title: string;
  /** What was done and what came of it, in a sentence or two. */
  readonly lead: string;
  /** What makes it again, in the project's folder. */
  readonly command: string;
}

/** The whole page. `experiment` has one map or ablation, or more. */
export function experimentPage(experiment: Experiment, assets: Assets): string {
  const { title, lead, command, maps = [], ablations = [] } = experiment;
  return document(
    {
      title: `${title} – retry-storm testbed`,
      header: markup`<h1>${title}</h1>`,
      main: markup`<p class="lead">${lead}</p>
        ${extraSections({ maps, ablations })}
        ${section("Make it again", markup`<pre tabindex="0"><code>${command}</code></pre>`)}
        <noscript
          ><p>The charts need JavaScript; their captions and the tables hold the same numbers.</p></noscript
        >`,
      footer: markup`<p>retry-storm testbed · virtual time unless the page says otherwise</p>`,
      data: { runs: [], maps, ablations },
    },
    assets,
  );
}
