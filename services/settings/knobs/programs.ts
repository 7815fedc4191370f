/** How each program listens, logs and finds the others. */
import type { Knob } from "./knob.ts";
import { chainProblems, urlProblems } from "../addresses.ts";

export const PROGRAM_KNOBS = [
  {
    name: "HOST",
    field: "host",
    kind: "text",
    default: "127.0.0.1",
    notAmbient: true,
    form: "a host name or an IP address",
    problems: (text) => (/^[A-Za-z0-9.:-]{1,253}$/.test(text) ? [] : ["it is none"]),
    doc: "Address that a service listens on. The worlds set it.",
  },
  {
    name: "PORT",
    field: "port",
    kind: "number",
    default: "0",
    notAmbient: true,
    range: { min: 0, max: 65_535, unit: "(0 picks a free port)", whole: true },
    doc: "Port that a service listens on. The worlds set it.",
  },
  {
    name: "UPSTREAM_URL",
    field: "upstreamUrl",
    kind: "text",
    default: "",
    notAmbient: true,
    form: "an address like http://127.0.0.1:8080, several of them with commas between, or empty",
    problems: urlProblems,
    isAddress: true,
    doc: "Whom a hop calls: one address for each instance. The worlds set it.",
  },
  {
    name: "UPSTREAM_CONNECTIONS",
    field: "upstreamConnections",
    kind: "number",
    default: "256",
    range: { min: 1, max: 65_535, unit: "connections", whole: true },
    doc: "The most connections of a hop to the tier below it.",
  },
  {
    name: "CHAIN",
    kind: "text",
    default: "",
    notAmbient: true,
    form: "name=address of each tier, from the client's side down, with commas between, or empty",
    problems: chainProblems,
    isAddress: true,
    doc: "Where the load program finds the tiers. The worlds set it.",
  },
  {
    name: "LOG_LEVEL",
    field: "logLevel",
    kind: "choice",
    default: "warn",
    notAmbient: true,
    choices: ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
    doc: "What the services log; info shows failed requests, debug every attempt.",
  },
] as const satisfies readonly Knob[];
