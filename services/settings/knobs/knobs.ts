/**
 * Every knob of the lab. All that reads, checks or documents settings goes through this table: .env.example and
 * docs/knobs.md are written from it (`npm run docs`).
 */
import type { Knob } from "./knob.ts";
import { ADMISSION_KNOBS } from "./admission.ts";
import { BACKEND_KNOBS } from "./backend.ts";
import { BREAKER_KNOBS } from "./breaker.ts";
import { BUDGET_KNOBS } from "./budget.ts";
import { FLEET_KNOBS } from "./fleet.ts";
import { HEDGE_KNOBS } from "./hedge.ts";
import { LOAD_KNOBS } from "./load.ts";
import { PROGRAM_KNOBS } from "./programs.ts";
import { REPLICA_KNOBS } from "./replicas.ts";
import { RETRY_KNOBS } from "./retry.ts";
import { RUN_KNOBS } from "./run.ts";

const GROUPS = [
  { title: "The run", knobs: RUN_KNOBS },
  { title: "The load", knobs: LOAD_KNOBS },
  { title: "Retries, at each hop", knobs: RETRY_KNOBS },
  { title: "Retry budget, at each hop", knobs: BUDGET_KNOBS },
  { title: "Several instances of a hop, and a budget that they share", knobs: FLEET_KNOBS },
  { title: "Circuit breaker, at each hop", knobs: BREAKER_KNOBS },
  { title: "Admission, at each hop", knobs: ADMISSION_KNOBS },
  { title: "Second copies, at the hop that calls the backend", knobs: HEDGE_KNOBS },
  { title: "The backend", knobs: BACKEND_KNOBS },
  { title: "Replicas of the backend", knobs: REPLICA_KNOBS },
  { title: "The programs", knobs: PROGRAM_KNOBS },
] as const;

type Row = (typeof GROUPS)[number]["knobs"][number];
type RowOf<Kind extends Knob["kind"]> = Extract<Row, { readonly kind: Kind }>;

export type KnobName = Row["name"];
export type NumberKnobName = RowOf<"number">["name"];
export type FlagKnobName = RowOf<"flag">["name"];
export type ChoiceKnobName = RowOf<"choice">["name"];
export type ChoiceOf<Name extends ChoiceKnobName> = Extract<
  RowOf<"choice">,
  { readonly name: Name }
>["choices"][number];

export interface KnobGroup {
  readonly title: string;
  readonly knobs: readonly Knob[];
}

export const KNOB_GROUPS: readonly KnobGroup[] = GROUPS;
export const KNOBS: readonly Knob[] = KNOB_GROUPS.flatMap(({ knobs }) => knobs);

const BY_NAME: ReadonlyMap<string, Knob> = new Map(KNOBS.map((knob) => [knob.name, knob]));

/** The knob of exactly this name, without a hop's prefix. */
export function knobNamed(name: string): Knob | undefined {
  return BY_NAME.get(name);
}
