// @ts-check
/**
 * The chain that `up` left running, known by .lab/up.pid. Plain JavaScript, as prepare.cjs says. One that was killed leaves
 * the file behind, for another process to have its number: so the number alone is never believed.
 */
const { spawnSync } = require("child_process");
const { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require("fs");
const path = require("path");

/** A chain that is asked to end takes a second or two: each of its programs has 5 s until it is killed. */
const END_WITHIN_MS = 30000;

/** @param {string} root @returns {string} */
const pidFile = (root) => path.join(root, ".lab", "up.pid");

/** @param {number} pid @returns {string} empty where there is no such process */
function commandLine(pid) {
  // A small Linux has no ps, and macOS no /proc.
  if (!existsSync("/proc/self"))
    return spawnSync("ps", ["-p", String(pid), "-o", "args="], { encoding: "utf8" }).stdout ?? "";
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replace(/\0/g, " ");
  } catch {
    return "";
  }
}

/**
 * Whether process `pid` runs with `words` in its command line.
 * @param {number} pid @param {string} words @returns {boolean}
 */
const isRunning = (pid, words) => Number.isInteger(pid) && pid > 0 && commandLine(pid).includes(words);

/** How a chain that stays is started: by bin/lab, or by hand. */
const UP = ["prepare.cjs lab up", "lab/cli/main.js up"];

/** @param {string} root @returns {number | undefined} */
function upPid(root) {
  if (!existsSync(pidFile(root))) return undefined;
  const pid = Number(readFileSync(pidFile(root), "utf8"));
  return UP.some((words) => isRunning(pid, words)) ? pid : undefined;
}

/** @param {string} root */
function markUp(root) {
  mkdirSync(path.dirname(pidFile(root)), { recursive: true });
  writeFileSync(pidFile(root), `${process.pid}\n`);
}

/** @param {string} root */
function markDown(root) {
  rmSync(pidFile(root), { force: true });
}

/**
 * Ends the chain that `up` left, if there is one. Resolves with an exit code: 1 when it has not ended in time.
 * @param {string} root @param {(text: string) => void} say @param {number} [withinMs] @returns {Promise<number>}
 */
async function takeDown(root, say, withinMs = END_WITHIN_MS) {
  const pid = upPid(root);
  if (pid !== undefined) {
    try {
      process.kill(pid, "SIGTERM");
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
  markDown(root);
  return 0;
}

module.exports = { isRunning, markDown, markUp, takeDown, upPid };
