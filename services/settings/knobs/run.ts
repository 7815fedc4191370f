/** The knobs of a run as a whole: which policy, where, through which hops. */
import type { Knob } from "./knob.ts";
import { tierList, tiersProblems } from "../tiers.ts";

/** What is wrong with a name that becomes part of a path; none = valid. */
export function plainName(text: string): readonly string[] {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(text) ? [] : [text === "" ? "it is empty" : "it is none"];
}

/** The folder in policies/ whose files are what production clients do: POLICY=production/aws-2026. */
export const CATALOGUE = "production";

/** What is wrong with the name of a policy: a plain one, or one of the catalogue; none = valid. */
export function policyName(text: string): readonly string[] {
  return plainName(text.startsWith(`${CATALOGUE}/`) ? text.slice(CATALOGUE.length + 1) : text);
}

const NAME_FORM = 'a plain name: letters, digits, "-" and "_", at most 64';

export const RUN_KNOBS = [
  {
    name: "POLICY",
    field: "policy",
    kind: "text",
    default: "naive",
    form: `${NAME_FORM}; or such a name behind "${CATALOGUE}/"`,
    problems: policyName,
    doc: "The retry policy: the file policies/<name>.env, or policies/production/<name>.env as production/<name>.",
  },
  {
    name: "SCENARIO",
    field: "scenario",
    kind: "text",
    default: "reference",
    form: NAME_FORM,
    problems: plainName,
    doc: "A name for what happens to the backend; it labels the report.",
  },
  {
    name: "WORLD",
    field: "world",
    kind: "choice",
    default: "auto",
    choices: ["auto", "compose", "process", "virtual"],
    doc: "Where the chain runs; auto takes Compose where an engine answers, else local processes.",
  },
  {
    name: "ONE_WAY_MS",
    kind: "number",
    default: "0.4",
    range: { min: 0, max: 1000, unit: "milliseconds" },
    doc: "Virtual time only: one-way latency between two programs. Over HTTP it is the network's; make twin measures it.",
    // Experiments leave WORLD at auto and choose virtual time for their runs alone.
    needs: [
      {
        knob: "WORLD",
        is: ["virtual", "auto"],
        what: "virtual: over HTTP the latency is the network's own",
        harmless: "0.4",
      },
    ],
  },
  {
    name: "REPORTS_DIR",
    field: "reportsDir",
    kind: "text",
    default: "reports",
    form: "the path of a folder",
    problems: (text) => (text === "" ? ["it is empty"] : []),
    doc: "Folder that each run writes its own report folder into.",
  },
  {
    name: "TIERS",
    kind: "text",
    default: "edge,api",
    form: 'one to six different names, from the client\'s side down, such as "edge,api"',
    problems: tiersProblems,
    doc: "The hops between load and backend; each name in capitals is a prefix, as in EDGE_MAX_ATTEMPTS.",
    canonical: (text) => tierList(text).join(","),
  },
] as const satisfies readonly Knob[];
