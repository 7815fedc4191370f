/**
 * Where spans go, by OpenTelemetry's own environment variables: nowhere, until one of them asks for it.
 *
 * What they say of headers, timeouts, sampling and the queue is read by the SDK itself.
 */
import { addressShown } from "../settings/addresses.ts";
import { ConfigError } from "../settings/known-error.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a collector listens by default, as the specification says. */
const USUAL_ENDPOINT = "http://localhost:4318";
const TRACES_PATH = "v1/traces";

const EXPORTER = "OTEL_TRACES_EXPORTER";
const OFF = `${EXPORTER}=none switches spans off`;

/** An empty variable counts as one that is not set: that is how Compose and Make hand on what is not there. */
function given(environment: Environment, name: string): string | undefined {
  const value = environment[name]?.trim();
  return value === "" ? undefined : value;
}

function firstGiven(environment: Environment, names: readonly string[]): [string, string] | undefined {
  for (const name of names) {
    const value = given(environment, name);
    if (value !== undefined) return [name, value];
  }
  return undefined;
}

function problemOfProtocol(environment: Environment): string[] {
  const chosen = firstGiven(environment, ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"]);
  if (chosen === undefined || chosen[1].startsWith("http/")) return [];
  return [
    `${chosen[0]}=${chosen[1].slice(0, 60)}: spans go out as OTLP over HTTP alone. Use http/json and the collector's HTTP port, usually 4318; ${OFF}.`,
  ];
}

function problemOfEndpoint([name, value]: [string, string]): string[] {
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return [];
  return [
    `${name} must be a collector's address, like ${USUAL_ENDPOINT}, not "${addressShown(value).slice(0, 100)}"; ${OFF}.`,
  ];
}

function problemOfExporter(exporter: string | undefined): string[] {
  if (exporter === undefined || exporter === "otlp") return [];
  return [`${EXPORTER} must be otlp or none, not "${exporter.slice(0, 60)}".`];
}

/** The address for all signals has no path of its own; that for traces is taken as it is. */
function withPath([name, value]: [string, string]): string {
  return name.includes("_TRACES_") ? value : `${value.replace(/\/+$/, "")}/${TRACES_PATH}`;
}

/**
 * The address that spans are posted to; undefined where none are wanted.
 * @throws ConfigError with every fault of the variables that were read
 */
export function tracesUrlOf(environment: Environment): string | undefined {
  const exporter = given(environment, EXPORTER);
  if (given(environment, "OTEL_SDK_DISABLED")?.toLowerCase() === "true" || exporter === "none") return undefined;
  const named = firstGiven(environment, ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"]);
  if (named === undefined && exporter === undefined) return undefined;
  const endpoint = named ?? ["OTEL_EXPORTER_OTLP_ENDPOINT", USUAL_ENDPOINT];
  const problems = [...problemOfExporter(exporter), ...problemOfEndpoint(endpoint), ...problemOfProtocol(environment)];
  if (problems.length > 0) throw new ConfigError(problems);
  return withPath(endpoint);
}
