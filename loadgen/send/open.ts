/** The open loop: each request goes out when it is due, whatever became of those before it. */
import type { Load } from "./load.ts";
import { startPacer } from "./pacer.ts";

/** Sends the schedule. */
export const openLoop: Load = async ({ config, attack, stop, onStart, onDue, onRecord }) => {
  let startMs = 0;
  const pacer = startPacer({
    config,
    onStart(at) {
      startMs = at;
      onStart(at);
    },
    onDue(arrival) {
      if (stop.aborted) return;
      onDue();
      attack.send(arrival, startMs, onRecord);
    },
  });
  const halt = (): void => pacer.stop();
  if (stop.aborted) halt();
  stop.addEventListener("abort", halt, { once: true });
  await pacer.over;
};
