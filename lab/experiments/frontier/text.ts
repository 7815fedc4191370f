/** The frontier as a grid: what is possible at each load and error rate, and who comes nearest. */
import { wholePercent } from "../../../loadgen/core/format.ts";
import Table from "cli-table3";
import type { FrontierCell } from "./experiment.ts";

/** The text, without a line end. */
export function frontierText(cells: readonly FrontierCell[]): string {
  const rates = [...new Set(cells.map(({ rate }) => rate))];
  const errors = [...new Set(cells.map(({ errorRate }) => errorRate))];
  const table = new Table({
    head: ["RATE \\ ERROR_RATE", ...errors.map(String)],
    style: { head: [], border: [], compact: true },
  });
  for (const rate of rates) {
    const row = errors.map((errorRate) => {
      const cell = cells.find((one) => one.rate === rate && one.errorRate === errorRate);
      return cell === undefined
        ? ""
        : `${wholePercent(cell.limit)}: ${cell.nearest} ${wholePercent(cell.ofLimit)}`;
    });
    table.push([String(rate), ...row]);
  }
  return `${table.toString()}\nthe best possible success, %: the policy that comes nearest, and its share of that, %`;
}
