# The process world from the outside: prepare.cjs puts in place what is needed, then lab/cli/main.js runs. Read by bin/lab.

need_node() {
  command -v node >/dev/null ||
    fail "Node is needed here and \"node\" is not on the PATH. Install Node 20.19 or later, or start Docker and use WORLD=compose."
}

prepare_packages() { need_node && supervise node lab/worlds/process/prepare.cjs packages || exit 1; }

# The first command puts everything in place; the later ones take what it has left, also when a source is saved meanwhile.
prepare_process() { need_node && main=(lab/worlds/process/prepare.cjs lab); }

cli_process() { # command argument…
  local status=0
  supervise "${settings[@]}" LAB_OVERRIDES="$given" LAB_FROM="$called_from" LAB_SHELL=$$ node "${main[@]}" "$@" || status=$?
  main=(dist/lab/cli/main.js)
  # It may be ended by the signal that is handed on, just when it has ended its work itself.
  [ "$status" -lt 128 ] || status=1
  return "$status"
}

run_process() { # folder-within-the-reports argument…
  local into=$1
  shift
  cli_process run ${into:+--into "$into"} "$@"
}

up_process() { cli_process up "$@"; }

down_process() { [ ! -L .lab/up ] || { need_node && supervise node lab/worlds/process/prepare.cjs down; }; }
