/** The load program: `node dist/lab/worlds/load/main.js [--json]`. What it does: loadgen/run/program.ts. */
import { outliveReaders } from "../../../services/real-time/readers.ts";
import { loadProgram } from "../../../loadgen/run/program.ts";

outliveReaders();
// The lab's timers keep no process alive, so something else has to until the run is over.
const alive = setInterval(() => {}, 2 ** 30);
process.exitCode = await loadProgram({
  args: process.argv.slice(2),
  environment: process.env,
  now: () => new Date(),
  // Loaded when it is wanted: what draws pages would only be in the way of the load.
  render: async (folder) => (await import("../../report/pages/write-report.ts")).renderRun(folder),
}).finally(() => clearInterval(alive));
