/**
 * On a machine that both share, the services wait for the generator, not it for them: a storm must not make its own
 * measurement late. They get what the generator leaves, which is nearly all of the machine.
 *
 * A lower priority needs no rights. Linux groups processes by session and weighs the groups, so that the niceness of a
 * process counts within its group alone (man 7 sched, "The autogroup feature"): the group has to be made nicer, too.
 */
import { writeFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** Of 19; the generator runs at 0. */
const NICENESS = 10;

/** Linux takes one such change in a tenth of a second from users without rights, of the whole machine. */
const TRIES = 10;
const TRY_EVERY_MS = 120;

async function makeGroupNicer(pid: number): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      await writeFile(`/proc/${pid}/autogroup`, String(NICENESS), { flag: "r+" });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
    }
    await sleep(TRY_EVERY_MS, undefined, { ref: false });
  }
}

/** Puts a process that leads its own session behind the others. Where a system does not allow it, nothing happens. */
export async function yieldToGenerator(pid: number): Promise<void> {
  try {
    setPriority(pid, NICENESS);
  } catch {
    // It has just ended, and whoever waits for it says so.
    return;
  }
  await makeGroupNicer(pid);
}
