// @ts-check
/** The chain that `up` left running, known by the lock .lab/up. Plain JavaScript, as prepare.cjs says. */
const path = require("path");
const { Failure, giveBack, holderOf, removeDead, take } = require("./lock.cjs");

/** A chain that is asked to end takes a second or two: each of its programs has 5 s until it is killed. */
const END_WITHIN_MS = 30000;

/** How a chain that stays is started: by bin/lab, or by hand. */
const UP = ["prepare.cjs lab up", "lab/cli/main.js up"];

/** @param {string} root @returns {string} */
const lockOf = (root) => path.join(root, ".lab", "up");

/** @param {string} root @returns {number | undefined} */
const upPid = (root) => holderOf(lockOf(root), UP);

/** Before anything of the chain starts, so that of two at once only one has it.
 * @param {string} root @returns {number | undefined} the process of the chain that is there already
 * @throws {Failure} where this user may not write there */
function markUp(root) {
  while (!take(lockOf(root), UP)) {
    const other = upPid(root);
    if (other !== undefined) return other;
  }
  return undefined;
}

/** This process's own mark. @param {string} root */
const markDown = (root) => giveBack(lockOf(root));

/**
 * Ends the chain that `up` left, if there is one. Resolves with an exit code: 1 when it has not ended in time.
 * @param {string} root @param {(text: string) => void} say @param {number} [withinMs] @returns {Promise<number>}
 */
async function takeDown(root, say, withinMs = END_WITHIN_MS) {
  const pid = upPid(root);
  if (pid !== undefined) {
    try {
      process.kill(pid, "SIGTERM");
      // One that was stopped, by Ctrl-Z for instance, would hear of it only then.
      process.kill(pid, "SIGCONT");
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      if (code === "EPERM") say(`The chain (process ${pid}) is another user's: only they, or root, can end it.`);
      if (code !== "ESRCH") return 1;
    }
    for (const until = Date.now() + withinMs; upPid(root) === pid;) {
      if (Date.now() > until) {
        say(
          `The chain (process ${pid}) has not ended within ${withinMs / 1000} s of SIGTERM. End it with: kill -KILL ${pid}`,
        );
        return 1;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    say("The chain of local processes is down.");
  }
  // Of one that was killed. Another chain may have come up meanwhile, and keeps its own.
  removeDead(lockOf(root), UP);
  return 0;
}

module.exports = { Failure, markDown, markUp, takeDown, upPid };
