/**
 * What lab/worlds/compose/dash-check.sh asks a Prometheus that runs:
 *
 *     ask-prometheus.ts URL until EXPRESSION    until it has an answer, for at most a minute
 *     ask-prometheus.ts URL panels FROM         whether every panel has finite numbers to show since FROM, in Unix seconds
 *
 * Exit 0 where it is so; 1 where not, with what is wrong.
 */
import { faultsOf, look } from "./panels.ts";
import { prometheusAt, until } from "./prometheus.ts";

/** As in grafana/prometheus.yml. */
const SCRAPE_MS = 1000;
/** A storm takes its time to build up, and so does a busy machine. */
const PATIENCE_S = 60;

const [url = "", verb = "", argument = ""] = process.argv.slice(2);
const prometheus = prometheusAt(url);
const nowS = (): number => Date.now() / 1000;

async function faults(): Promise<string[]> {
  if (verb === "panels") {
    const span = { startS: Number(argument), endS: nowS(), scrapeMs: SCRAPE_MS };
    return faultsOf([await look(prometheus, span)]);
  }
  if (verb !== "until") return [`"${verb}" is no question: until, or panels`];
  try {
    const answered = async () => ((await prometheus.instant(argument, nowS())).length > 0 ? true : undefined);
    await until(argument, answered, PATIENCE_S);
    return [];
  } catch (error) {
    return [String(error)];
  }
}

const found = await faults();
for (const fault of found) console.error(fault);
process.exitCode = found.length === 0 ? 0 : 1;
