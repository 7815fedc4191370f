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

image_of() { sed -n "s|^ *image: \($1:.*\)\$|\1|p" compose.yaml; } # repository

# True when the engine has the image or can fetch it; else what it said stands in $scratch/pull.log.
has_image() { # repository
  local named
  named=$(image_of "$1")
  docker image inspect "$named" >/dev/null 2>&1 && return
  say "Fetching $named …"
  supervise docker pull --quiet "$named" >"$scratch/pull.log" 2>&1
}

# Grafana only draws what Prometheus has: without it the storm is still to be seen, only less well.
choose_watchers() {
  watchers=(prometheus)
  if ! has_image prom/prometheus; then
    [ -z "$interrupted" ] || exit 1
    cat "$scratch/pull.log" >&2
    fail "$(image_of prom/prometheus) cannot be fetched: see above. Without it: make live"
  fi
  if has_image grafana/grafana; then
    watchers+=(grafana)
    return
  fi
  [ -z "$interrupted" ] || exit 1
  sed 's/^/  /' "$scratch/pull.log" >&2
  say "$(image_of grafana/grafana) cannot be fetched (above: why). Going on without Grafana: Prometheus draws the main lines."
}

# Prometheus' own page with the main lines of the dashboard Storm, one under the other.
prometheus_graphs() {
  local n=0 expression query=""
  for expression in 'lab:amplification:ratio_rate10s' 'lab:success:ratio_rate10s' 'lab_backend_queue_depth'; do
    query="$query&g$n.expr=$expression&g$n.tab=0&g$n.range_input=5m"
    n=$((n + 1))
  done
  printf '/graph?%s' "${query#&}"
}

print_addresses() {
  local prometheus
  prometheus="http://$(dash_address prometheus 9090)"
  case " ${watchers[*]} " in
    *" grafana "*) printf '%s\n' "Grafana:    http://$(dash_address grafana 3000)/d/retry-storm" "Prometheus: $prometheus" ;;
    *) printf '%s\n' "Prometheus: $prometheus$(prometheus_graphs)" ;;
  esac
}

verb_dash() {
  check_dash
  prepare_compose
  trap leave_dash EXIT
  resolve_compose ""
  [ "$(setting TIERS)" = edge,api ] || refuse "TIERS=$(setting TIERS): the dashboards know the chain edge,api. Leave TIERS out."
  choose_watchers
  project=$dash_project
  project_services+=(traffic "${watchers[@]}")
  export COMPOSE_PROFILES=observe
  say "Starting the chain and ${watchers[*]} …"
  bring_up
  mkdir -p .lab
  printf '%s\n' "$project" >"$dash_mark"
  print_addresses
  say "Under policies/$(setting POLICY).env, with $(setting RATE) requests a second. In another terminal: make break, make test, make run POLICY=…" "Its end: Ctrl-C here, or make down."
  stay
}

# Grafana alone may end without an end to the rest.
leave_dead_grafana() {
  local dead
  dead=$(project_containers --all --filter status=exited --filter label=com.docker.compose.service=grafana)
  [ -n "$dead" ] || return 0
  tell_of_dead_services || true
  docker rm "$dead" >/dev/null
  watchers=(prometheus)
  say "" "Going on without Grafana."
  print_addresses
}

# Until a signal comes, or a service of the chain is gone.
stay() {
  while [ -z "$interrupted" ]; do
    supervise sleep 2 || true
    [ -z "$interrupted" ] || return 0
    if [ ! -f "$dash_mark" ]; then
      say "It was taken down from elsewhere."
      return
    fi
    leave_dead_grafana
    tell_of_dead_services || exit 1
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
