/** Debian's own Prometheus with the lab's configuration, as a child process of a test. */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const grafana = fileURLToPath(new URL("../../../grafana/", import.meta.url));

/** The configuration's own second, shortened: a test has less of them. */
export const SCRAPE_MS = 500;

/** True where the programs are installed. Where they are not it says so, aloud, and in CI that is a failure. */
export function hasPrometheus(): boolean {
  try {
    for (const program of ["prometheus", "promtool"]) execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    const what =
      "prometheus and promtool are not installed: apt-get install prometheus (Debian), brew install prometheus";
    if (process.env["CI"] === "true") throw new Error(what);
    console.error(`\n######## NOT CHECKED: the dashboards against a real Prometheus. ${what} ########\n`);
    return false;
  }
}

/** Looks again and again. @param withinS for at most so many seconds */
export async function until<T>(what: string, look: () => Promise<T | undefined>, withinS = 20): Promise<T> {
  for (let round = 0; round < withinS * 10; round += 1) {
    const seen = await look().catch(() => undefined);
    if (seen !== undefined) return seen;
    await sleep(100);
  }
  throw new Error(`waited ${withinS} s in vain: ${what}`);
}

/** One series of an answer: its points as [seconds, text]. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly points: readonly (readonly [number, string])[];
}

export interface Prometheus {
  /** @param atS Unix time in seconds */
  instant(expr: string, atS: number): Promise<Series[]>;
  range(expr: string, startS: number, endS: number): Promise<Series[]>;
}

interface Found {
  readonly metric: Record<string, string>;
  readonly value?: [number, string];
  readonly values?: [number, string][];
}

async function ask(url: string, path: string, parameters: Record<string, string>): Promise<Series[]> {
  const response = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters).toString()}`);
  const { error, data } = (await response.json()) as { error?: string; data?: { result: Found[] } };
  if (data === undefined) throw new Error(`${parameters["query"]}: ${error}`);
  return data.result.map(({ metric, value, values }) => ({
    metric,
    points: values ?? (value === undefined ? [] : [value]),
  }));
}

/** A Prometheus that runs already. */
export const prometheusAt = (url: string): Prometheus => ({
  instant: (query, atS) => ask(url, "query", { query, time: String(atS) }),
  range: (query, startS, endS) =>
    ask(url, "query_range", { query, start: String(startS), end: String(endS), step: "0.5" }),
});

/** The configuration of grafana/ with other addresses, by the names of Compose, and with shorter intervals. */
function configure(targets: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "prometheus-"));
  cpSync(join(grafana, "rules"), join(folder, "rules"), { recursive: true });
  let text = readFileSync(join(grafana, "prometheus.yml"), "utf8").replaceAll(": 1s", `: ${SCRAPE_MS}ms`);
  for (const [name, address] of Object.entries(targets)) text = text.replace(`${name}:8080`, address);
  writeFileSync(join(folder, "prometheus.yml"), text);
  return folder;
}

/** Starts it on `port`; resolves when it answers. It ends with the test. */
export async function startPrometheus(
  t: TestContext,
  port: number,
  targets: Readonly<Record<string, string>>,
): Promise<Prometheus> {
  const folder = configure(targets);
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    "prometheus",
    [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=error",
    ],
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  t.after(async () => {
    child.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await until("Prometheus is ready", async () => ((await fetch(`${url}/-/ready`)).ok ? true : undefined));
  return prometheusAt(url);
}
