# The process world from the outside: prepare.cjs puts in place what is needed, then lab/cli/main.js runs. Read by bin/lab.

# What Node and its compiler open at once. Of the soft limit they take no notice: Node raises its own to the hard one.
fewest_files=256

# Else a module that is there "cannot be found".
need_files() {
  local files
  files=$(ulimit -Hn)
  [ "$files" = unlimited ] || [ "$files" -ge "$fewest_files" ] ||
    fail "This shell allows a program $files open files (ulimit -Hn), and the lab needs $fewest_files or more. Use a new shell without \"ulimit -n $files\", or raise the limit where your system keeps it."
}

need_node() {
  need_files
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

report_process() { cli_process report "$@"; }

up_process() { cli_process up "$@"; }

down_process() { [ ! -L .lab/up ] || { need_node && supervise node lab/worlds/process/prepare.cjs down; }; }
