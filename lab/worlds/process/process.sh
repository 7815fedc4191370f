# The process world from the outside: Node, packages and compiled JavaScript in place, then lab/cli/main.ts. Read by bin/lab.

need_node() {
  local version
  version=$(node --version 2>/dev/null) ||
    fail "Node is needed here and \"node\" is not on the PATH. Install Node 20.19 or later, or start Docker and use WORLD=compose."
  [[ $version =~ ^v([0-9]+)\.([0-9]+) ]] || fail "node --version said \"$version\": Node 20.19 or later is needed."
  if [ "${BASH_REMATCH[1]}" -lt 20 ] || { [ "${BASH_REMATCH[1]}" -eq 20 ] && [ "${BASH_REMATCH[2]}" -lt 19 ]; }; then
    fail "This is Node $version: 20.19 or later is needed. Or start Docker and use WORLD=compose."
  fi
}

# Two labs may start at once in one checkout: only one installs or builds. A subshell forgets the traps of its parent.
locked() { # command…
  if command -v flock >/dev/null 2>&1; then
    mkdir -p .lab
    (hear_signals && flock 9 && "$@") 9>.lab/lock
  else
    "$@"
  fi
}

quietly() { # what command…: its output only when it fails
  local what=$1 log status=0
  shift
  log=$(mktemp)
  say "$what …"
  attend "$@" >"$log" 2>&1 || status=$?
  if [ "$status" -ne 0 ] && [ -z "$interrupted" ]; then cat "$log" >&2; fi
  rm -f "$log"
  return "$status"
}

# A command that a Ctrl-C has ended did not fail.
fail_unless_stopped() { # message
  [ -z "$interrupted" ] || exit 1
  fail "$1"
}

lock_sum() { cksum <package-lock.json; }

install_packages() {
  local stamp=node_modules/.lab-installed
  [ "$(cat "$stamp" 2>/dev/null)" = "$(lock_sum)" ] && return
  if ! { [ -d node_modules ] && npm ls --all >/dev/null 2>&1; }; then
    quietly "Installing the packages (npm ci, first time about 20 s)" npm ci ||
      fail_unless_stopped "The packages could not be installed: see above. npm has to reach its registry."
  fi
  lock_sum >"$stamp"
}

# True when something that dist is made from has changed since; a folder changes when a file leaves it.
is_stale() {
  [ -f dist/.built ] || return 0
  [ -n "$(find services loadgen lab bench package.json tsconfig.json tsconfig.build.json -newer dist/.built | head -n 1)" ]
}

build_programs() {
  is_stale || return 0
  local begun
  begun=$(mktemp) # a file that is saved while the compiler runs counts as newer
  quietly "Compiling" npm run --silent build || fail_unless_stopped "The programs could not be compiled: see above."
  mv "$begun" dist/.built
}

install_and_build() { install_packages && build_programs; }

prepare_process() { need_node && { locked install_and_build || leave_prepared $?; }; }
prepare_check() { need_node && { locked install_packages || leave_prepared $?; }; }

leave_prepared() { # status
  [ -z "$interrupted" ] || fail "Stopped before anything was started."
  exit "$1"
}

cli_process() { attend node dist/lab/cli/main.js "$@"; }

run_process() { # folder-within-the-reports argument…
  local into=$1
  shift
  cli_process run ${into:+--into "$into"} "$@"
}

# The number of the chain that `up` left running; nothing where there is none. The chain writes it to .lab/up.pid and
# removes the file when it ends; one that was killed leaves it behind, for another process to have that number.
up_pid() {
  local pid
  pid=$(cat .lab/up.pid 2>/dev/null) || return 0
  case $(ps -p "$pid" -o args= 2>/dev/null) in *lab/cli/main.js\ up*) printf '%s' "$pid" ;; esac
}

up_process() {
  [ -z "$(up_pid)" ] || fail "A chain is up already (process $(up_pid)). Its end: make down."
  cli_process up
}

down_process() {
  local pid
  pid=$(up_pid)
  if [ -n "$pid" ]; then
    kill -TERM "$pid"
    while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
    say "The chain of local processes is down."
  fi
  rm -f .lab/up.pid
}
