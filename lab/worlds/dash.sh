# A chain under load without end, with Prometheus and Grafana beside it: `make dash`. Read by bin/lab.
#
# One for each checkout. While it is up, .lab/dash says so to the other verbs, which then switch its policy rather than
# start a chain of their own.

dash_project="rst-dash-${image#*:}"
dash_mark=.lab/dash

# The mark alone is no proof: what was killed leaves it behind.
dash_is_up() {
  [ -f "$dash_mark" ] || return 1
  case $(wanted_world) in process | virtual) return 1 ;; esac
  [ -n "$(project=$dash_project project_containers 2>/dev/null)" ]
}

leave_dash() {
  local status=$?
  rm -f "$dash_mark"
  set +e # for the next line, which hands the status on
  (exit "$status")
  leave_compose
}

check_dash() {
  choose_world
  [ "$world" = compose ] || fail "make dash needs Docker with Compose, for Prometheus and Grafana. Without it: make live"
  ! dash_is_up || fail "It is up already, in another terminal. Its end: Ctrl-C there, or make down."
}

dash_address() { project_compose port "$1" "$2" 2>/dev/null || echo "(not published: see docker ps)"; }

dash() {
  check_dash
  prepare_compose
  trap leave_dash EXIT
  resolve_compose ""
  [ "$(setting TIERS)" = edge,api ] || refuse "TIERS=$(setting TIERS): the dashboards know the chain edge,api. Leave TIERS out."
  project=$dash_project
  project_services+=(traffic prometheus grafana)
  export COMPOSE_PROFILES=observe
  say "Starting the chain, Prometheus and Grafana (the first time, their images are fetched) …"
  bring_up
  mkdir -p .lab
  printf '%s\n' "$project" >"$dash_mark"
  printf '%s\n' "Grafana:    http://$(dash_address grafana 3000)/d/retry-storm" "Prometheus: http://$(dash_address prometheus 9090)"
  say "Under policies/$(setting POLICY).env, with $(setting RATE) requests a second. In another terminal: make break, make test, make run POLICY=…" "Its end: Ctrl-C here."
  stay
}

# Until a signal comes, or a service of the chain is gone.
stay() {
  while [ -z "$interrupted" ]; do
    attend sleep 5 || true
    [ -n "$interrupted" ] || tell_of_dead_services || exit 1
  done
}

switch_dash() {
  scratch=$(mktemp -d)
  trap leave_compose EXIT
  set_user
  export WORLD=compose
  say "A chain with dashboards is up (make dash): its policy is switched. For a run of its own: WORLD=process, or end make dash."
  cli_network="${dash_project}_default" cli_compose switch http://traffic:8080
}

# What a `make dash` left that was killed.
down_dash() {
  rm -f "$dash_mark"
  command -v docker >/dev/null 2>&1 && within 5 docker info && find_compose || return 0
  project=$dash_project
  scratch=$(mktemp -d)
  if [ -n "$(project_containers --all)" ]; then
    project_files=(-f compose.yaml)
    export COMPOSE_PROFILES=observe
    leave_project
    say "The chain with dashboards is down."
  fi
  project=""
  rm -rf "$scratch"
}
