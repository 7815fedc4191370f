/** A thread that runs a file of the lab, in the form that runs now: compiled beside compiled, source beside source. */
import { Worker } from "node:worker_threads";

/**
 * @param source where its TypeScript is: `new URL("./worker.ts", import.meta.url)`
 * @param workerData what it begins with
 */
export function startThread(source: URL, workerData?: unknown): Worker {
  if (!import.meta.url.endsWith(".ts")) {
    return new Worker(new URL(source.href.replace(/\.ts$/, ".js")), { workerData });
  }
  // From the sources, a thread first has to learn to read TypeScript.
  const worker = JSON.stringify(source.href);
  const loader = JSON.stringify(import.meta.resolve("tsx/esm/api"));
  const code = `import(${loader}).then(({ register }) => { register(); return import(${worker}); });`;
  return new Worker(code, { eval: true, workerData });
}
