// @ts-check
/**
 * What the process world needs before its programs can run: packages, and compiled JavaScript. Started by bin/lab:
 *
 *     node lab/worlds/process/prepare.cjs lab WORD…    both, then lab/cli/main.js in this process: a second one takes 50 ms
 *     node lab/worlds/process/prepare.cjs packages     the packages alone
 *     node lab/worlds/process/prepare.cjs down         the end of a chain that `up` left
 *
 * Plain JavaScript for Node alone, since there may be neither packages nor dist yet; and of a kind that an old Node reads,
 * so that it can say what is wrong. Exit 1: it failed, or a signal came.
 */
const { spawn } = require("child_process");
const { createHash } = require("crypto");
const fs = require("fs");
const paths = require("path");
const { pathToFileURL } = require("url");
const { Failure, giveBack, take } = require("./lock.cjs");
const { endWithShell } = require("../../../services/real-time/shell.cjs");
const { takeDown } = require("./up-chain.cjs");

/** What dist is made from. */
const SOURCES = ["services", "loadgen", "lab", "bench", "package.json", "tsconfig.json", "tsconfig.build.json"];
/** Two labs may start at once in one checkout: only one installs or builds, whose number this link holds. */
const LOCK = paths.join(".lab", "preparing");
/** An installation over a slow line takes minutes. Who waits longer than this for another lab waits for nothing. */
const LOCK_WITHIN_MS = 15 * 60 * 1000;

/** npm ci hears no signal before its end. What it leaves half done is noticed by the next lab. */
const KILL_AFTER_MS = 2000;

/** @param {string} text */
const say = (text) => console.error(text);

const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/** Set by a signal: what it ends did not fail.
 * @type {{ signal?: NodeJS.Signals, child?: import("child_process").ChildProcess }} */
const state = {};

/** @param {NodeJS.Signals} signal */
function onSignal(signal) {
  const { child } = state;
  state.signal = signal;
  if (child === undefined) return;
  child.kill("SIGTERM");
  setTimeout(() => child.kill("SIGKILL"), KILL_AFTER_MS).unref();
}

function stopIfAsked() {
  if (state.signal) throw new Failure("Stopped before anything was started.");
}

/** Runs a program and keeps what it prints.
 * @param {string} program @param {string[]} words @returns {Promise<{ ok: boolean, output: string }>} */
function run(program, words) {
  stopIfAsked();
  return new Promise((resolve) => {
    let output = "";
    const child = spawn(program, words, { stdio: ["ignore", "pipe", "pipe"] });
    state.child = child;
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
    child.on("error", (error) => resolve({ ok: false, output: `${program}: ${error.message}\n` }));
    child.on("close", (code) => resolve({ ok: code === 0, output }));
  }).then(async (done) => {
    // The Ctrl-C that has ended it may not have been heard here yet.
    if (!done.ok) await new Promise((resolve) => setTimeout(resolve, 100));
    stopIfAsked();
    return done;
  });
}

/** The same with a word to the user before, and the output when it fails.
 * @param {string} what @param {string[]} words @param {string} failure */
async function npm(what, words, failure) {
  say(`${what} …`);
  const { ok, output } = await run("npm", words);
  if (ok) return;
  process.stderr.write(output);
  throw new Failure(failure);
}

/** The compiler is one of the packages that npm leaves out under NODE_ENV=production. */
const ALL = "--include=dev";
const STAMP = paths.join("node_modules", ".lab-installed");
const lockSum = () => createHash("sha256").update(ALL).update(fs.readFileSync("package-lock.json")).digest("hex");

/** @param {string} file @returns {string} */
const textOf = (file) => (fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "");
const packagesAreThere = () => textOf(STAMP) === lockSum();

async function installPackages() {
  if (packagesAreThere()) return;
  // npm writes this file last: without it an installation was ended halfway, which npm ls does not see.
  const ended = fs.existsSync(paths.join("node_modules", ".package-lock.json"));
  const complete = ended && (await run("npm", ["ls", "--all", ALL])).ok;
  if (!complete) {
    const what = "Installing the packages (npm ci, first time about 20 s)";
    await npm(what, ["ci", ALL], "The packages could not be installed: see above. npm has to reach its registry.");
  }
  fs.writeFileSync(STAMP, lockSum());
}

/** Whether `path` or something in it has changed since; a folder changes when a file leaves it.
 * @param {string} path @param {number} since @returns {boolean} */
function isNewer(path, since) {
  const stats = fs.statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (stats.mtimeMs > since) return true;
  return stats.isDirectory() && fs.readdirSync(path).some((name) => isNewer(paths.join(path, name), since));
}

const BUILT = paths.join("dist", ".built");

function programsAreThere() {
  if (!fs.existsSync(BUILT)) return false;
  const since = fs.statSync(BUILT).mtimeMs;
  return !SOURCES.some((path) => isNewer(path, since));
}

async function buildPrograms() {
  if (programsAreThere()) return;
  const begun = paths.join(".lab", "build-begun"); // a file that is saved while the compiler runs counts as newer
  fs.writeFileSync(begun, "");
  await npm("Compiling", ["run", "--silent", "build"], "The programs could not be compiled: see above.");
  fs.renameSync(begun, BUILT);
}

/** @param {() => Promise<void>} work */
async function locked(work) {
  for (const until = Date.now() + LOCK_WITHIN_MS; !take(LOCK, ["prepare.cjs"]);) {
    if (Date.now() > until) {
      throw new Failure(
        `Another lab has been at its packages or programs for ${LOCK_WITHIN_MS / 60000} min. If none is: rm -r ${LOCK}*`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    stopIfAsked();
  }
  try {
    await work();
  } finally {
    giveBack(LOCK);
  }
}

async function preparePrograms() {
  if (packagesAreThere() && programsAreThere()) return;
  await locked(async () => {
    await installPackages();
    await buildPrograms();
  });
}

/** @param {string[]} words */
async function lab(words) {
  await preparePrograms();
  for (const signal of SIGNALS) process.off(signal, onSignal);
  stopIfAsked();
  const main = paths.resolve("dist/lab/cli/main.js");
  process.argv = [process.execPath, main, ...words];
  await import(pathToFileURL(main).href);
}

/** @type {Record<string, (words: string[]) => Promise<void>>} */
const GOALS = {
  lab,
  packages: async () => {
    if (!packagesAreThere()) await locked(installPackages);
  },
  down: async () => {
    // It only waits: a signal ends it as it ends any program.
    for (const signal of SIGNALS) process.off(signal, onSignal);
    process.exitCode = await takeDown(process.cwd(), say);
  },
};

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Failure(
    `This is Node ${process.version}: 20.19 or later is needed. Or start Docker and use WORLD=compose.`,
  );
}

async function main() {
  checkNode();
  endWithShell();
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const [name = "", ...words] = process.argv.slice(2);
  const goal = GOALS[name];
  if (goal === undefined) throw new Failure(`prepare.cjs: one of ${Object.keys(GOALS).join(", ")} is needed.`);
  await goal(words);
}

main().catch((error) => {
  process.exitCode = 1;
  if (!(error instanceof Failure)) throw error;
  say(error.message);
});
