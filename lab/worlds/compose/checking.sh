# What the checks of the Compose world have in common. Read by them with `. lab/worlds/compose/checking.sh`, from the project's folder.
#
#     exit 0  every check held
#     exit 1  one did not; what was seen is printed
#     exit 3  no Docker engine with Compose answers, so nothing was checked

root=$PWD
. lab/cli/choose.sh

say() { printf '%s\n' "$@" >&2; }
broken() {
  say "NOT SO: $1" "--- output:"
  tail -n 60 "$scratch/out" >&2
  exit 1
}
holds() { say "  holds: $1"; }

begin_checks() { # what
  look_for_compose
  if [ -n "$without_compose" ]; then
    printf '\n######## %s was NOT checked: %s. ########\n\n' "$1" "$without_compose" >&2
    exit 3
  fi
  say "$1, checked with $(docker version --format 'engine {{.Server.Version}}') and ${compose[*]}:"
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  : >"$scratch/out"
}

# Sets running to a lab that goes on. A process group of its own, as a terminal gives each command: Ctrl-C goes to all of it.
start_lab() { # verb NAME=value…
  set -m
  bin/lab "$@" >"$scratch/out" 2>&1 &
  running=$!
  set +m
}
