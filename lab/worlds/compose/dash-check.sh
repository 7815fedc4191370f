#!/usr/bin/env bash
# `make dash` for real: Prometheus beside the chain in Compose, a live switch of the policy, every panel's question, the end.
# Needs Node with the packages besides Docker. Run by .ci/run. How it ends: lab/worlds/compose/checking.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. lab/worlds/compose/checking.sh

begin_checks "make dash"
export WORLD=compose
# So little load that a busy machine bears a storm of it, and less capacity than that.
small=(RATE=20 CAPACITY=15)

prometheus() { # question…: lab/observe/testdata/ask-prometheus.ts
  node --import tsx lab/observe/testdata/ask-prometheus.ts "$address" "$@" >>"$scratch/out" 2>&1
}
is_seen() { # what expression
  prometheus until "$2" || broken "$1: $2"
  holds "$1"
}

start_dash() {
  start_lab dash "${small[@]}" "$@"
  for _ in $(seq 1800); do
    grep -q '^Its end: ' "$scratch/out" && break
    kill -0 "$running" 2>/dev/null || broken "make dash stays up"
    sleep 0.1
  done
  address=$(sed -n 's|^Prometheus: \(http://127\.0\.0\.1:[0-9]*\).*|\1|p' "$scratch/out")
  [ -n "$address" ] || broken "make dash prints where Prometheus is, on loopback"
}

# Grafana's image is fetched where a registry can be reached; where not, that is said.
check_grafana() {
  grep -qE '^Grafana: +http://127\.0\.0\.1:[0-9]+/|^grafana/grafana:[^ ]+ cannot be fetched' "$scratch/out" ||
    broken "make dash prints where Grafana is, or that it goes on without"
  holds "$(grep -E '^Grafana: |^grafana/grafana:' "$scratch/out")"
}

switch() { # verb NAME=value…
  bin/lab "$@" >"$scratch/switch" 2>&1 || { cp "$scratch/switch" "$scratch/out" && broken "$1 switches the chain that runs"; }
  grep -q 'The chain runs under policies/' "$scratch/switch" || { cp "$scratch/switch" "$scratch/out" && broken "$1 says what it did"; }
}

check_storm_and_repair() {
  local from
  from=$(date +%s)
  is_seen "all four programs are watched" 'count(up == 1) == 4'
  is_seen "naive makes a storm, and the alert fires" 'ALERTS{alertname="RetryAmplificationHigh",alertstate="firing"}'
  is_seen "the storm multiplies the load" 'lab:amplification:ratio_rate10s > 3'
  switch test "${small[@]}"
  is_seen "budgeted, switched live, ends it" 'lab:amplification:ratio_rate10s < 1.8 and on () lab_run_info{policy="budgeted"} == 1'
  is_seen "the alert is over" 'absent(ALERTS{alertname="RetryAmplificationHigh"})'
  prometheus panels "$from" || broken "every panel of both dashboards has finite numbers to show"
  holds "every panel of both dashboards has finite numbers to show"
  switch break "${small[@]}"
  is_seen "naive again" 'lab_run_info{policy="naive"} == 1'
}

left_behind() {
  docker ps --all --quiet --filter name='^rst-dash-'
  docker network ls --quiet --filter name='^rst-dash-'
  ls .lab/dash 2>/dev/null || true
}
check_end() { # what
  local status=0
  wait "$running" || status=$?
  [ "$status" -eq 0 ] || broken "$1 ends make dash with 0, not $status"
  [ -z "$(left_behind)" ] || broken "nothing is left after $1 ($(left_behind | tr '\n' ' '))"
  holds "$1 takes all of it down"
}

start_dash POLICY=naive
check_grafana
check_storm_and_repair
kill -INT -- "-$running"
check_end "Ctrl-C"

start_dash POLICY=budgeted
bin/lab down >"$scratch/down" 2>&1 || broken "make down beside make dash"
check_end "make down"
