/** The frontier as a grid: what is possible at each load and error rate, and who comes nearest. */
import { wholePercent } from "../../../loadgen/core/format.ts";
import { gridText } from "../../runs/text.ts";
import type { FrontierCell } from "./experiment.ts";

/** The text, without a line end. */
export function frontierText(cells: readonly FrontierCell[]): string {
  const down = [...new Set(cells.map(({ rate }) => rate))];
  const across = [...new Set(cells.map(({ errorRate }) => errorRate))];
  const grid = gridText("RATE \\ ERROR_RATE", { down, across }, (errorRate, rate) => {
    const cell = cells.find((one) => one.rate === rate && one.errorRate === errorRate);
    if (cell === undefined) return "";
    return `${wholePercent(cell.limit)}: ${cell.nearest} ${wholePercent(cell.ofLimit)}`;
  });
  return `${grid}\nthe best possible success, %: the policy that comes nearest, and its share of that, %`;
}
