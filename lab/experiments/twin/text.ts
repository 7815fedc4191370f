/** The twin's verdicts as a table for people and as CSV. */
import { fixed } from "../../../loadgen/core/format.ts";
import { csvText } from "../../runs/csv.ts";
import { textTable } from "../../runs/text.ts";
import type { ExplainedVerdict } from "./explanation.ts";
import type { MeasureVerdict, TwinVerdict } from "./judgement.ts";
import { TWIN_MEASURES, type TwinMeasure } from "./tolerances.ts";

function measureNamed(name: MeasureVerdict["measure"]): TwinMeasure {
  const found = TWIN_MEASURES.find((measure) => measure.name === name);
  if (found === undefined) throw new RangeError(`${name} is not a measure of the twin`);
  return found;
}

function rowOf(verdict: MeasureVerdict): string[] {
  const { label, text, tolerance, differenceText } = measureNamed(verdict.measure);
  const { measured, predicted, difference, chance, agrees } = verdict;
  const byChance = chance === null ? [] : [`level ${fixed(chance.level.p, 2)}, spread ${fixed(chance.spread.p, 2)}`];
  const said = agrees ? "agrees" : "DISAGREES";
  return [label, text(measured), text(predicted), differenceText(difference), tolerance, ...byChance, said];
}

const titleOf = ({ scenario, policy, by, validRuns, asked }: TwinVerdict): string =>
  `${policy}, ${scenario}: ${validRuns} of ${asked} runs over HTTP valid; ${by === "tolerance" ? "medians" : "means"}`;

function tableOf({ measures, by }: TwinVerdict): string {
  const chance = by === "distribution" ? ["p, by chance"] : [];
  const head = ["", "measured", "predicted", "difference", "tolerance", ...chance, "verdict"];
  return textTable(head, measures.map(rowOf));
}

function verdictText(verdict: ExplainedVerdict): string {
  const { measures, invalid, neededRuns, explanation } = verdict;
  return [
    titleOf(verdict),
    ...(measures.length > 0
      ? [tableOf(verdict)]
      : [`  too few to judge: at least ${neededRuns} valid runs are needed`]),
    ...invalid.map(({ seed, reasons }) => `  seed ${seed} is INVALID and not counted: ${reasons.join("; ")}`),
    ...explanation.map((line) => `  ${line}`),
  ].join("\n");
}

const ENDINGS: Readonly<Record<TwinVerdict["verdict"], string>> = {
  agrees: "HTTP and virtual time agree within the tolerances",
  disagrees: "HTTP and virtual time DISAGREE",
  "too few valid runs": "no verdict, since too few runs are valid",
};

/** The text, without a line end. @param oneWay the one-way latency, in words */
export function twinText(verdicts: readonly ExplainedVerdict[], oneWay: string): string {
  const endings = verdicts.map((one) => `${one.policy}, ${one.scenario}: ${ENDINGS[one.verdict]}.`);
  return [oneWay, "", ...verdicts.flatMap((one) => [verdictText(one), ""]), ...endings].join("\n");
}

const HEAD = [
  "scenario",
  "policy",
  "by",
  "validRuns",
  "measure",
  "measured",
  "predicted",
  "difference",
  "allowed",
  "pLevel",
  "pSpread",
  "agrees",
];

/** One line for each measure of each policy. */
export function twinCsv(verdicts: readonly TwinVerdict[]): string {
  const rows = verdicts.flatMap(({ scenario, policy, by, validRuns, measures }) =>
    measures.map(({ measure, measured, predicted, difference, allowed, chance, agrees }) => [
      scenario,
      policy,
      by,
      validRuns,
      measure,
      measured,
      predicted,
      difference,
      allowed,
      chance?.level.p ?? "",
      chance?.spread.p ?? "",
      agrees,
    ]),
  );
  return csvText(HEAD, rows);
}
