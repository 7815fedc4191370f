/** What a run of the tests prints: Node's own `spec` report, with source paths, and the ten slowest files before its closing lines. */
import { relative, sep } from "node:path";
import { Readable } from "node:stream";
import { spec } from "node:test/reporters";
import type { TestEvent } from "node:test/reporters";
import { fixed } from "../../loadgen/core/format.ts";

const SLOWEST = 10;

/** "dist-check/4711/lab/a.test.js" is what "lab/a.test.ts" was compiled to; a source map may have told already. */
const sourceOf = (path: string): string =>
  relative(process.cwd(), path)
    .split(sep)
    .join("/")
    .replace(/^dist-check\/\d+\/(.*)\.js$/, "$1.ts");

/** A file's time is that of its process; of a file that shared a process with others, that of its tests. */
function slowestOf(processes: ReadonlyMap<string, number>, tests: ReadonlyMap<string, number>): string[] {
  const times = [...new Map([...tests, ...processes])].filter(([file]) => file.includes("/"));
  return times
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, SLOWEST)
    .map(([file, ms]) => `slow ${fixed(ms / 1000, 1).padStart(6)} s  ${file}`);
}

const diagnostic = (message: string): TestEvent => ({
  type: "test:diagnostic",
  data: { message, nesting: 0 },
});

async function* noted(source: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  const processes = new Map<string, number>();
  const tests = new Map<string, number>();
  for await (const event of source) {
    const { data } = event;
    if (data !== undefined && "file" in data && data.file !== undefined) {
      const whole = "name" in data && data.name === data.file;
      data.file = sourceOf(data.file);
      if (whole) data.name = data.file;
      if (event.type === "test:complete" && event.data.nesting === 0) {
        const ms = event.data.details.duration_ms;
        if (whole) processes.set(data.file, ms);
        else tests.set(data.file, (tests.get(data.file) ?? 0) + ms);
      }
    }
    const closes = event.type === "test:diagnostic" && /^tests \d+$/.test(event.data.message);
    if (closes) yield* slowestOf(processes, tests).map(diagnostic);
    yield event;
  }
}

export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  yield* Readable.from(noted(source)).pipe(new spec());
}
