/**
 * One request, looked at attempt by attempt.
 *
 * A run leaves only the client's side of its requests. In virtual time the same settings and seed make the same run again,
 * so it is made again and looked on at; of a run over HTTP this is a replay with the same random numbers and a modelled wire.
 */
import type { ClientRecord } from "../../loadgen/core/record.ts";
import type { WatchRun } from "../worlds/virtual/core/chain-watch.ts";
import { makeVirtual } from "../worlds/virtual/facts.ts";
import { TraceCollector } from "./collector.ts";
import type { CallTrace } from "./trace.ts";

export interface Replay {
  /** What the client got; absent where it had no answer when the run ended, or there is no such request. */
  readonly record?: ClientRecord;
  /** Absent where the request never arrived at the first tier. */
  readonly root?: CallTrace;
  /** Attempts that are not in the tree, because there are too many. */
  readonly leftOut: number;
}

/** @param env every knob with its value, as the run wrote them @throws ConfigError */
export function replay(env: Readonly<Record<string, string>>, id: string): Replay {
  const records: ClientRecord[] = [];
  const collectors: TraceCollector[] = [];
  const watch: WatchRun = (now) => {
    const collector = new TraceCollector(id, now);
    collectors.push(collector);
    return collector;
  };
  const onRecord = (record: ClientRecord): void => {
    if (record.id === id) records.push(record);
  };
  const { run } = makeVirtual({ ...env, WORLD: "virtual" }, onRecord, watch);
  while (run.advance());
  const [record] = records;
  const [collector] = collectors;
  const root = collector?.root;
  return {
    ...(record === undefined ? {} : { record }),
    ...(root === undefined ? {} : { root }),
    leftOut: collector?.leftOut ?? 0,
  };
}
