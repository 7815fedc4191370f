/**
 * The Compose services of a chain whose tiers are not edge and api: what compose.yaml would say about them, as an
 * override file. Compose reads JSON as YAML.
 */
import { tierNames } from "../process/chain.ts";

const OWN_SERVICE = new Set(["edge", "api"]);
const PORT = 8080;

const urlOf = (tier: string): string => `http://${tier}:${PORT}`;

/** What every container of compose.yaml has; repeated here because YAML anchors do not reach into another file. */
const CONFINED = {
  image: "${LAB_IMAGE}",
  env_file: "${LAB_ENV_FILE}",
  user: "${LAB_USER}",
  init: true,
  read_only: true,
  tmpfs: "/tmp",
  cap_drop: ["ALL"],
  security_opt: ["no-new-privileges:true"],
};

/** Where spans go, as in compose.yaml: null hands a variable on from the environment of the command, where it is set. */
const SPANS = Object.fromEntries(
  [
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_HEADERS",
    "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
    "OTEL_EXPORTER_OTLP_PROTOCOL",
    "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
    "OTEL_EXPORTER_OTLP_TIMEOUT",
    "OTEL_TRACES_EXPORTER",
    "OTEL_TRACES_SAMPLER",
    "OTEL_TRACES_SAMPLER_ARG",
    "OTEL_SDK_DISABLED",
    "OTEL_SERVICE_NAME",
    "OTEL_RESOURCE_ATTRIBUTES",
    "OTEL_BSP_SCHEDULE_DELAY",
    "OTEL_BSP_MAX_QUEUE_SIZE",
  ].map((name) => [name, null]),
);

function hopService(name: string, upstream: string): object {
  const environment = { HOST: "0.0.0.0", PORT: String(PORT), UPSTREAM_URL: urlOf(upstream) };
  if (OWN_SERVICE.has(name)) return { environment };
  const command = ["node", "dist/services/hop/main.js", name];
  return { ...CONFINED, command, environment: { ...SPANS, ...environment } };
}

export function composeTiers(env: Readonly<Record<string, string>>): object {
  const tiers = tierNames(env);
  const hops = tiers.slice(0, -1).map((name, i) => [name, hopService(name, tiers[i + 1] ?? "backend")]);
  const load = { environment: { CHAIN: tiers.map((name) => `${name}=${urlOf(name)}`).join(",") } };
  return { services: { ...Object.fromEntries(hops), load } };
}
