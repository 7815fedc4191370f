// @ts-check
/**
 * Locks between labs in one checkout. Each is a link whose target is the number of the process that holds it: made in one
 * step, so that of two only one has it. One that was killed leaves it behind, for another process to have its number: so
 * the number alone is never believed. Plain JavaScript, as prepare.cjs says.
 */
const { spawnSync } = require("child_process");
const fs = require("fs");
const path = require("path");

const GUARD_WITHIN_MS = 10 * 1000;

/** What goes wrong with a message for a person. */
class Failure extends Error {}

/** @param {number} pid @returns {string} empty where there is no such process */
function commandLine(pid) {
  // A small Linux has no ps, and macOS no /proc.
  if (!fs.existsSync("/proc/self"))
    return spawnSync("ps", ["-p", String(pid), "-o", "args="], { encoding: "utf8" }).stdout ?? "";
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").replace(/\0/g, " ");
  } catch {
    return "";
  }
}

/** @param {string} lock @returns {string | undefined} the number in it */
function targetOf(lock) {
  try {
    return fs.readlinkSync(lock);
  } catch {
    return undefined;
  }
}

/**
 * The process that holds `lock`, where it runs with one of `names` in its command line.
 * @param {string} lock @param {string[]} names @returns {number | undefined}
 */
function holderOf(lock, names) {
  const pid = Number(targetOf(lock));
  const line = Number.isInteger(pid) && pid > 0 ? commandLine(pid) : "";
  return names.some((name) => line.includes(name)) ? pid : undefined;
}

/** Removes a lock whose holder was killed. One at a time, or else the second would remove what the first has taken since.
 * @param {string} lock @param {string[]} names */
function removeDead(lock, names) {
  const guard = `${lock}-guard`;
  try {
    fs.mkdirSync(guard);
  } catch {
    // Whoever made it needs a moment only: an old one was left by a lab that was killed just then.
    const made = fs.statSync(guard, { throwIfNoEntry: false });
    if (made !== undefined && Date.now() - made.mtimeMs > GUARD_WITHIN_MS)
      fs.rmSync(guard, { recursive: true, force: true });
    return;
  }
  try {
    const target = targetOf(lock);
    const isDead = target !== undefined && holderOf(lock, names) === undefined;
    // Given back a moment ago, it may be another's by now.
    if (isDead && targetOf(lock) === target) fs.unlinkSync(lock);
  } catch {
    // It has been given back in the meantime.
  }
  fs.rmdirSync(guard);
}

/**
 * @param {string} lock @param {string[]} names of those who may hold it, as in a list of processes
 * @returns {boolean} whether it is this process's own now
 * @throws {Failure} where this user may not write there
 */
function take(lock, names) {
  try {
    fs.mkdirSync(path.dirname(lock), { recursive: true });
    fs.symlinkSync(String(process.pid), lock);
    return true;
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === "EACCES" || code === "EPERM")
      throw new Failure(
        `${path.dirname(lock)} belongs to another user, such as root who ran the lab here before. Take it over: sudo chown -R "$(id -un)" .lab dist node_modules reports`,
      );
    if (code !== "EEXIST") throw error;
    removeDead(lock, names);
    return false;
  }
}

/** Where it is another's by now, it stays. @param {string} lock */
function giveBack(lock) {
  if (targetOf(lock) === String(process.pid)) fs.rmSync(lock, { force: true });
}

module.exports = { Failure, giveBack, holderOf, removeDead, take };
