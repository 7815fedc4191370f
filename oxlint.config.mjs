/**
 * The rules of the house (ARCHITECTURE.md), by folder. Run by `npm run lint`; lab/toolchain/direction.test.ts breaks each of
 * them once. Where a rule fires, the message says what to do instead.
 */

/**
 * The floors from the ground up: a file imports from its own floor's folder and from the floors below it. Beside each folder
 * stands how an import of it reads.
 */
const FLOORS = [
  { "services/policy": "/policy/" },
  { "services/virtual-time": "/virtual-time/" },
  { "services/contract": "/contract/" },
  { "services/hop/core": "/hop/core/", "services/backend/core": "/backend/core/" },
  { "services/settings": "/settings/" },
  { "services/real-time": "/real-time/" },
  { "services/telemetry": "/telemetry/" },
  { "services/http": "/http/" },
  { "services/hop": "/hop/[^/]+$", "services/backend": "/backend/[^/]+$" },
  { "services/edge": "/edge/", "services/api": "/api/" },
  { "loadgen/core": "loadgen/core/|^\\.\\./core/" },
  { "loadgen/send": "/send/" },
  { "loadgen/output": "/output/" },
  { "loadgen/run": "/run/" },
  { "lab/report": "/report/" },
  { "lab/worlds/virtual/core": "/virtual/core/" },
  { "lab/worlds": "/worlds/" },
  { "lab/runs": "/runs/" },
  { "lab/experiments": "/experiments/" },
  { "lab/trace": "/trace/", "lab/live": "/live/", "lab/observe": "/observe/" },
  { "lab/cli": "/cli/" },
];

/** Knows neither clock, nor process, nor package: the same code runs over HTTP and in virtual time. */
const PURE = ["services/{policy,virtual-time,contract}", "services/*/core", "loadgen/core", "lab/worlds/virtual/core"];
const TESTS = ["**/*.test.ts", "**/*.browser.ts", "**/*.check.ts", "**/testdata/**/*.ts"];

const all = (folders) => folders.map((folder) => `${folder}/**/*.ts`);

const CLOCK = "Take a Clock as an argument: real clocks are read in services/real-time and by programs.";
const ENVIRONMENT = "Take the value as an argument: the environment is read by programs (main.ts), services/http and lab/cli.";
const SEEDED = "Randomness is seeded: take an Rng as an argument (services/policy/rng.ts makes one).";
const EVENT_LOOP = "Pure code has no event loop: use Clock.after, or return a value and let the caller decide when.";

const globals = (message, ...names) => names.map((name) => ({ name, message }));
const REAL_TIME = globals(CLOCK, "Date", "performance", "setTimeout", "setInterval");
const WORLD = [...globals("Take the value as an argument: pure code has no process.", "process"), ...globals("Take `send` as an argument: pure code does no I/O.", "fetch")];
const PURE_GLOBALS = [...REAL_TIME, ...WORLD, ...globals(EVENT_LOOP, "setImmediate", "queueMicrotask"), ...globals(SEEDED, "crypto"), ...globals("Pure code prints nothing: return a value, or take an event callback.", "console")];
const noGlobals = (list) => ({
  "no-restricted-globals": ["error", { globals: list, checkGlobalObject: true, globalObjects: ["global"] }],
});

const RANDOM = { object: "Math", property: "random", message: SEEDED };
const ENV = { object: "process", property: "env", message: ENVIRONMENT };
const TIMEOUT = { object: "AbortSignal", property: "timeout", message: `It runs on the real clock. ${CLOCK}` };
const HRTIME = { object: "process", property: "hrtime", message: CLOCK };
/** Numbers become text for people in one place, and in one form. */
const WRITTEN = ["toFixed", "toLocaleString"].map((property) => ({
  property,
  message: "Use what loadgen/core/format.ts offers: each kind of number has one form there.",
}));
const inSource = (...list) => ({ "no-restricted-properties": ["error", ...WRITTEN, ...list] });
const noProperties = (...list) => ({ "no-restricted-properties": ["error", ...list] });

const PACKAGES = { regex: "^(express|undici|prom-client|dotenv|pino|autocannon|@opentelemetry|@redis)(/|$)", message: "This package stays in services (but for their cores) and in loadgen/send: use what they offer." };
const PROCESS = { regex: "^(node:)?process$", message: ENVIRONMENT };
const TIMERS = { regex: "^(node:)?(timers|timers/promises|perf_hooks)$", message: CLOCK };
const OUTSIDE = { regex: "^[^.]", message: "Pure code imports neither npm packages nor node: modules: take what it needs as an argument." };
const PARENT = { regex: "^\\.\\./[^/]+$", message: "A core never imports what is built around it: take a function or a value as an argument." };
const TOOLS = "A test of pure code imports node:test, node:assert, fast-check and pure code only.";
const TEST_TOOLS = [
  { regex: "^([^.nf]|fs(/|$)|net$)", message: TOOLS },
  { group: ["node:*", "!node:test", "!node:assert", "!node:assert/strict"], message: TOOLS },
];

/** What the floors above, and the neighbours on the same floor, are called where they are imported. */
function above(folder) {
  const floor = FLOORS.findIndex((rooms) => folder in rooms);
  const higher = FLOORS.slice(floor).flatMap((rooms) => Object.entries(rooms));
  return higher.filter(([other]) => other !== folder && !other.startsWith(`${folder}/`)).map(([, text]) => text);
}

/** Who meets the services over HTTP and never imports one, although it stands above them. */
const OVER_HTTP = { regex: "/(hop|backend|edge|api)/", message: "The load generator and the services meet over HTTP only: share the piece through services/contract or below." };
const ROLE = { regex: "/backend/", message: "edge and api meet the backend over HTTP only." };

function importsOf(folder) {
  const isPure = folder.endsWith("/core") || ["services/policy", "services/virtual-time", "services/contract"].includes(folder);
  const hasPackages = folder === "loadgen/send" || (folder.startsWith("services/") && !["services/edge", "services/api"].includes(folder));
  const hasClock = ["services/real-time", "services/telemetry", "services/http"].includes(folder) || folder.startsWith("lab/");
  const others = above(folder).join("|");
  const direction = {
    regex: others,
    message: `${folder} is below what this imports (the floors: oxlint.config.mjs): take a function or a value as an argument.`,
  };
  return [
    ...(others === "" ? [] : [direction]),
    ...(folder.startsWith("loadgen/") ? [OVER_HTTP] : []),
    ...(["services/edge", "services/api"].includes(folder) ? [ROLE] : []),
    ...(isPure ? [OUTSIDE, ...(folder.endsWith("/core") ? [PARENT] : [])] : []),
    ...(isPure || hasPackages ? [] : [PACKAGES]),
    ...(isPure || folder === "lab/cli" || folder === "services/http" ? [] : [PROCESS]),
    ...(isPure || hasClock ? [] : [TIMERS]),
  ];
}
const noImports = (patterns) => ({
  "no-restricted-imports": patterns.length === 0 ? "off" : ["error", { patterns }],
});

/** A folder within another has the last word: of several overrides that match, the last one counts. */
const folders = FLOORS.flatMap((rooms) => Object.keys(rooms)).toSorted((a, b) => a.length - b.length);
const direction = folders.map((folder) => ({
  files: all([folder]),
  excludeFiles: TESTS,
  rules: noImports(importsOf(folder)),
}));

export default {
  plugins: ["typescript", "unicorn", "oxc", "import"],
  categories: { correctness: "error" },
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: "error" },
  ignorePatterns: ["dist/**", "dist-check/**", "reports/**", "node_modules/**"],
  rules: {
    eqeqeq: "error",
    "no-var": "error",
    "prefer-const": "error",
    "no-warning-comments": "error",
    "max-lines": ["error", { max: 250 }],
    "max-lines-per-function": ["error", { max: 40, skipBlankLines: true, skipComments: true }],
    "import/no-cycle": "error",
    "typescript/no-explicit-any": "error",
    "typescript/consistent-type-imports": "error",
    "typescript/no-floating-promises": [
      "error",
      {
        allowForKnownSafeCalls: [{ from: "package", package: "node:test", name: ["test", "it", "describe", "suite"] }],
      },
    ],
    "typescript/no-misused-promises": "error",
    "typescript/switch-exhaustiveness-check": "error",
    ...noImports([PACKAGES, PROCESS]),
    ...inSource(ENV, RANDOM),
  },
  overrides: [
    ...direction,
    // Time and environment.
    {
      files: all(["services", "loadgen"]),
      excludeFiles: [...TESTS, "**/main.ts"],
      rules: { ...noGlobals(REAL_TIME), ...inSource(ENV, RANDOM, TIMEOUT, HRTIME) },
    },
    { files: all(["services/telemetry", "services/http"]), rules: { "no-restricted-globals": "off", ...inSource(RANDOM) } },
    { files: [...all(["services/real-time"]), "services/real-time/*.cjs"], rules: { "no-restricted-globals": "off", "no-restricted-properties": "off" } },
    { files: ["**/main.ts", ...all(["lab/cli"])], rules: { ...inSource(RANDOM), "no-restricted-globals": "off" } },
    {
      files: all(PURE),
      excludeFiles: TESTS,
      rules: { ...noGlobals(PURE_GLOBALS), ...inSource(RANDOM, TIMEOUT) },
    },
    // Tests may be long, take a method out of an object (a lost `this` fails the test), and hand the environment on to a child.
    {
      files: TESTS,
      rules: {
        "max-lines": "off",
        "max-lines-per-function": "off",
        "typescript/unbound-method": "off",
        "no-restricted-imports": "off",
        ...noProperties(RANDOM),
      },
    },
    { files: ["loadgen/**/*.test.ts"], rules: noImports([OVER_HTTP]) },
    { files: ["services/{edge,api}/**/*.test.ts"], rules: noImports([ROLE]) },
    // Tests of pure code step time. setImmediate and queueMicrotask let promises settle.
    {
      files: PURE.map((folder) => `${folder}/**/*.test.ts`),
      rules: {
        ...noGlobals([...REAL_TIME, ...WORLD]),
        ...noProperties(RANDOM, TIMEOUT),
        ...noImports(TEST_TOOLS),
      },
    },
    { files: ["loadgen/core/format.ts", ".ci/*.mjs"], rules: noProperties(RANDOM, TIMEOUT) },
    // Benchmarks stand beside the peers that they measure.
    { files: all(["bench"]), rules: noImports([]) },
  ],
};
