#!/usr/bin/env bash
# The Compose world for real, shortened: what a user gets from `make` where a Docker engine answers. Run by .ci/run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. lab/worlds/compose/checking.sh

begin_checks "The Compose world"
export WORLD=compose

# A lab that writes to its own folder; its output goes to $scratch/out.
lab() { # verb NAME=value…
  local status=0
  reports="$scratch/reports-$RANDOM$RANDOM"
  bin/lab "$@" REPORTS_DIR="$reports" >"$scratch/out" 2>&1 || status=$?
  return "$status"
}

leftovers() { docker ps --all --quiet --filter name='^rst-[0-9a-f]{8}_'; }
nothing_left() { [ -z "$(leftovers)" ] || broken "nothing is left after $1 ($(leftovers | tr '\n' ' '))"; }

# An expression over the one summary that the last lab has written.
of_summary() { # expression
  node -e 'const fs = require("node:fs"), path = require("node:path");
    const [folder, expression] = process.argv.slice(1);
    const run = fs.readdirSync(folder).map((n) => path.join(folder, n, "summary.json")).find((f) => fs.existsSync(f));
    const s = JSON.parse(fs.readFileSync(run, "utf8"));
    console.log(new Function("s", `return ${expression}`)(s));' "$reports" "$1"
}
is_so() { # what expression
  local seen
  seen=$(of_summary "$2" 2>&1) || true
  [ "$seen" = true ] || broken "$1: $2 gave $seen; summary: $(of_summary 'JSON.stringify(s)' 2>&1)"
  holds "$1"
}

check_runs() {
  # So little capacity that the storm does not take its time to build up.
  lab break DURATION_S=5 SEED=1 CAPACITY=50 || [ $? -eq 1 ] || broken "make break runs"
  is_so "naive multiplies the load" 's.amplification > 3 && s.amplification <= 9'
  is_so "all tiers reconcile" 'Object.values(s.tiers).every((tier) => tier.lost === 0)'
  is_so "every request of 5 s at 60/s is counted" 's.clientRequests === 300 && s.generator.dropped === 0'
  is_so "the summary knows its world" 's.world === "compose"'
  [ -z "$(find "$reports" ! -user "$(id -u)")" ] || broken "the reports belong to the caller"
  holds "the reports belong to the caller"
  lab test DURATION_S=5 SEED=1 CAPACITY=50 || [ $? -eq 1 ] || broken "make test runs"
  is_so "budgeted does not" 's.amplification < 1.8'
  is_so "all tiers reconcile" 'Object.values(s.tiers).every((tier) => tier.lost === 0)'
  nothing_left "two runs"
}

check_tiers_and_copies() {
  local unhurried="RATE=2 DURATION_S=4 GATEWAY_ATTEMPT_TIMEOUT_MS=off EDGE_ATTEMPT_TIMEOUT_MS=off API_ATTEMPT_TIMEOUT_MS=off"
  # shellcheck disable=SC2086
  lab run POLICY=naive TIERS=gateway,edge,api ERROR_RATE=1 CAPACITY=10000 $unhurried || [ $? -eq 1 ] || broken "three tiers run"
  is_so "three tiers of three attempts make 27 calls" 's.amplification === 27'
  lab run POLICY=naive REPLICAS=2 SLOW_REPLICA=1 STRAGGLER_MS=1000 HEDGE=delay HEDGE_RATIO=1 ERROR_RATE=0 RATE=5 DURATION_S=4 \
    ATTEMPT_TIMEOUT_MS=off || [ $? -eq 1 ] || broken "a hop that hedges runs"
  is_so "second copies are sent and won" 's.tiers.api.hedged.won > 0 && s.tiers.api.hedged.sent >= s.tiers.api.hedged.won'
  nothing_left "tiers and copies"
}

check_bad_input() {
  local status=0
  lab break RATE=fast RTAE=1 || status=$?
  [ "$status" -eq 2 ] || broken "bad input ends with 2, not $status"
  grep -q 'RATE' "$scratch/out" && grep -q 'RTAE' "$scratch/out" || broken "all faults are named"
  [ ! -e "$reports" ] || broken "bad input starts nothing"
  nothing_left "bad input"
  holds "bad input: all faults named, exit 2, nothing started"
}

wait_for_load() { # lab's process number; sets load to the container of the load
  load=""
  for _ in $(seq 600); do
    load=$(docker ps --quiet --filter name='^rst-[0-9a-f]{8}_load_run|^rst-[0-9a-f]{8}-load-run' | head -n 1)
    [ -z "$load" ] || break
    kill -0 "$1" 2>/dev/null || broken "the run goes on until it is stopped"
    sleep 0.1
  done
  [ -n "$load" ] || broken "the load starts within a minute"
}

# The warm-up is over and the first answers are written down.
wait_for_records() { # lab's process number
  for _ in $(seq 600); do
    [ -z "$(find "$reports" -name records.ndjson -size +0 2>/dev/null)" ] || return 0
    kill -0 "$1" 2>/dev/null || broken "the run goes on until it is stopped"
    sleep 0.1
  done
  broken "the first records come within a minute"
}

start_long_run() {
  reports="$scratch/reports-$RANDOM$RANDOM"
  start_lab break DURATION_S=120 REPORTS_DIR="$reports"
  wait_for_load "$running"
  wait_for_records "$running"
}

check_confinement() {
  local project container facts
  start_long_run
  project=$(docker inspect --format '{{index .Config.Labels "com.docker.compose.project"}}' "$load")
  for container in $(docker ps --quiet --filter "label=com.docker.compose.project=$project"); do
    facts=$(docker inspect --format '{{.Config.User}} {{.HostConfig.ReadonlyRootfs}} {{.HostConfig.CapDrop}} {{.HostConfig.SecurityOpt}} {{len .HostConfig.PortBindings}}' "$container")
    [[ $facts =~ ^[1-9][0-9]*:[0-9]+\ true\ \[ALL\]\ \[no-new-privileges(:true)?\]\ 0$ ]] || broken "a container is confined: $facts"
  done
  holds "containers: not root, read-only, no capabilities, no ports"
}

check_dead_service() {
  local project status=0
  project=$(docker inspect --format '{{index .Config.Labels "com.docker.compose.project"}}' "$load")
  docker kill "$(docker ps --quiet --filter "label=com.docker.compose.project=$project" --filter label=com.docker.compose.service=backend)" >/dev/null
  wait "$running" || status=$?
  [ "$status" -eq 1 ] || broken "a dead backend ends the run with 1, not $status"
  grep -q 'service "backend" ended during the run' "$scratch/out" || broken "the dead service is named"
  nothing_left "a dead service"
  holds "a dead backend: named, exit 1, nothing left"
}

check_interrupt() { # signal target-prefix what
  local status=0
  start_long_run
  kill "-$1" -- "$2$running"
  wait "$running" || status=$?
  [ "$status" -eq 1 ] || broken "$3 ends the run with 1, not $status"
  nothing_left "$3"
  is_so "$3 keeps what was measured, as invalid, and leaves nothing" '!s.valid'
}

check_side_by_side() {
  local pids=() pid
  for seed in 1 2; do
    bin/lab test DURATION_S=2 SEED=$seed REPORTS_DIR="$scratch/side-$seed" >"$scratch/out-$seed" 2>&1 &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid" || [ $? -eq 1 ] || broken "two labs at once"; done
  for seed in 1 2; do
    reports="$scratch/side-$seed"
    is_so "lab $seed of two has its own run" "s.clientRequests === 120 && s.seed === $seed"
  done
  nothing_left "two labs side by side"
}

check_up_and_down() {
  local address
  bin/lab up >"$scratch/out" 2>&1 || broken "make up"
  address=$(sed -n 's|^ *edge *http://\(127.0.0.1:[0-9]*\)$|\1|p' "$scratch/out")
  [ -n "$address" ] || broken "make up prints an address on loopback"
  node -e 'fetch(`http://${process.argv[1]}/orders/1`).then((r) => process.exit(r.headers.has("x-lab-attempts") ? 0 : 1), () => process.exit(1))' \
    "$address" || broken "the edge answers on $address"
  bin/lab down >"$scratch/out" 2>&1 || broken "make down"
  [ -z "$(docker ps --all --quiet --filter name='^rst-up-')" ] || broken "make down leaves nothing"
  holds "make up answers on loopback, make down leaves nothing"
}

check_image() {
  local image base size
  image="retry-storm-testbed:$(printf '%s' "$root" | cksum | cut -d ' ' -f 1)"
  base=$(sed -n 's/^FROM \([^ ]*\) AS build$/\1/p' Dockerfile)
  size=$((($(docker image inspect --format '{{.Size}}' "$image") - $(docker image inspect --format '{{.Size}}' "$base")) / 1000000))
  [ "$size" -le 90 ] || broken "the image is $size MB above its base"
  holds "the image is $size MB above its base"
}

check_runs
check_tiers_and_copies
check_bad_input
check_confinement
check_dead_service
check_interrupt TERM "" "SIGTERM"
check_interrupt INT - "Ctrl-C"
check_side_by_side
check_up_and_down
check_image
