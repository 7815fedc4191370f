/** Several replicas as one backend: who gets a call, and what all have counted. */
import type { Backend } from "./backend.ts";
import { emptyCounts, type BackendCounts } from "../../contract/backend-counts.ts";

/** What the replicas share is counted once; the rest adds up. */
function sumOf(all: readonly BackendCounts[]): BackendCounts {
  const sum = emptyCounts();
  for (const counts of all) {
    for (const name of Object.keys(sum) as (keyof BackendCounts)[]) sum[name] += counts[name];
  }
  return {
    ...sum,
    longestQueue: Math.max(...all.map(({ longestQueue }) => longestQueue)),
    effects: all[0]?.effects ?? 0,
    duplicateEffects: all[0]?.duplicateEffects ?? 0,
  };
}

/**
 * One backend of `replicas`, two or more. A call goes to the replica that it names, or in turn where it names none that
 * exists.
 */
export function inOne(replicas: readonly Backend[]): Backend {
  const [any] = replicas;
  if (any === undefined) throw new RangeError("a backend needs a replica");
  let turn = 0;
  const next = (): Backend => {
    const replica = replicas[turn % replicas.length] ?? any;
    turn += 1;
    return replica;
  };
  const each = (act: (replica: Backend) => void): void => {
    for (const replica of replicas) act(replica);
  };
  return {
    serve: (request, done) => {
      const named = request.replica === undefined ? undefined : replicas[request.replica - 1];
      return (named ?? next()).serve(request, done);
    },
    faults: () => any.faults(),
    change: (change) => each((replica) => replica.change(change)),
    configure: (defences) => each((replica) => replica.configure(defences)),
    begin(seed) {
      turn = 0;
      each((replica) => replica.begin(seed));
    },
    counts: () => sumOf(replicas.map((replica) => replica.counts())),
    faultsHistory: () => any.faultsHistory(),
  };
}
