// @ts-check
/** bin/lab, seen from the programs that it starts. Plain JavaScript, as lab/worlds/process/prepare.cjs says. */

const LOOK_EVERY_MS = 500;

/**
 * Asks this process to end, by a SIGTERM to itself, once the bin/lab that started it has gone: a shell that is killed can
 * hand on nothing, and what it has started would go on for ever. Whoever was started by hand may outlive its parent.
 */
function endWithShell() {
  const isShells = process.env["LAB_SHELL"] !== undefined;
  delete process.env["LAB_SHELL"];
  if (!isShells) return;
  const shell = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(looking);
    process.kill(process.pid, "SIGTERM");
  }, LOOK_EVERY_MS);
  looking.unref();
}

module.exports = { endWithShell };
