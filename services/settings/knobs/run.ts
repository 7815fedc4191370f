/** The knobs of a run as a whole: which policy, where, and how each program listens and logs. */
import type { Knob } from "./knob.ts";
import { chainProblems, plainName, tiersProblems, urlProblems } from "../text-forms.ts";

const NAME_FORM = 'a plain name: letters, digits, "-" and "_", at most 64';

export const RUN_KNOBS: readonly Knob[] = [
  {
    name: "POLICY",
    kind: "text",
    default: "naive",
    form: NAME_FORM,
    problems: plainName,
    doc: "The retry policy: the file policies/<name>.env.",
  },
  {
    name: "SCENARIO",
    kind: "text",
    default: "reference",
    form: NAME_FORM,
    problems: plainName,
    doc: "A name for what happens to the backend; it labels the report.",
  },
  {
    name: "WORLD",
    kind: "choice",
    default: "auto",
    choices: ["auto", "compose", "process", "virtual"],
    doc: "Where the chain runs; auto takes Compose where an engine answers, else local processes.",
  },
  {
    name: "ONE_WAY_MS",
    kind: "number",
    default: "0.4",
    min: 0,
    max: 1000,
    unit: "milliseconds",
    doc: "Virtual time only: one way between two programs. Over HTTP it takes what it takes; make twin measures it.",
  },
  {
    name: "REPORTS_DIR",
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
  },
];

export const PROGRAM_KNOBS: readonly Knob[] = [
  {
    name: "HOST",
    kind: "text",
    default: "127.0.0.1",
    notAmbient: true,
    form: "a host name or an IP address",
    problems: (text) => (/^[A-Za-z0-9.:-]{1,253}$/.test(text) ? [] : ["it is none"]),
    doc: "Address that a service listens on. The worlds set it.",
  },
  {
    name: "PORT",
    kind: "number",
    default: "0",
    notAmbient: true,
    min: 0,
    max: 65_535,
    unit: "(0 picks a free port)",
    whole: true,
    doc: "Port that a service listens on. The worlds set it.",
  },
  {
    name: "UPSTREAM_URL",
    kind: "text",
    default: "",
    notAmbient: true,
    form: "an address like http://127.0.0.1:8080, several of them with commas between, or empty",
    problems: urlProblems,
    doc: "Whom a hop calls: one address for each instance. The worlds set it.",
  },
  {
    name: "UPSTREAM_CONNECTIONS",
    kind: "number",
    default: "256",
    min: 1,
    max: 65_535,
    unit: "connections",
    whole: true,
    doc: "The most connections of a hop to the tier below it.",
  },
  {
    name: "CHAIN",
    kind: "text",
    default: "",
    notAmbient: true,
    form: "name=address of each tier, from the client's side down, with commas between, or empty",
    problems: chainProblems,
    doc: "Where the load program finds the tiers. The worlds set it.",
  },
  {
    name: "LOG_LEVEL",
    kind: "choice",
    default: "warn",
    notAmbient: true,
    choices: ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
    doc: "What the services log; info shows failed requests, debug every attempt.",
  },
];
