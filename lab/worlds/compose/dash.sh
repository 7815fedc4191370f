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

# Sets watchers. Grafana only draws what Prometheus has: without it the storm is still to be seen, only less well.
choose_watchers() {
  local name image
  watchers=()
  for name in prometheus grafana; do
    image=$(sed -n "s|^ *image: \(.*/$name:.*\)\$|\1|p" compose.yaml)
    if docker image inspect "$image" >/dev/null 2>&1 || fetch "$image"; then
      watchers+=("$name")
      continue
    fi
    [ -z "$interrupted" ] || exit 1
    sed 's/^/  /' "$scratch/pull.log" >&2
    [ "$name" = grafana ] || fail "$image cannot be fetched: see above. Without it: make live"
    say "$image cannot be fetched (above: why). Going on without Grafana: Prometheus draws the main lines."
  done
}

fetch() { # image
  say "Fetching $1 …"
  supervise docker pull --quiet "$1" >"$scratch/pull.log" 2>&1
}

dash_address() { project_compose port "$1" "$2" 2>/dev/null || echo "(not published: see docker ps)"; }

# Where Grafana is, and Prometheus; without Grafana its page with the main lines of the dashboard Storm, one under the other.
print_addresses() {
  local n=0 expression page=""
  if [ "${#watchers[@]}" -gt 1 ]; then
    printf '%s\n' "Grafana:    http://$(dash_address grafana 3000)/d/retry-storm"
  else
    for expression in 'lab:amplification:ratio_rate10s' 'lab:success:ratio_rate10s' 'lab_backend_queue_depth'; do
      page="$page&g$n.expr=$expression&g$n.tab=0&g$n.range_input=5m"
      n=$((n + 1))
    done
  fi
  printf '%s\n' "Prometheus: http://$(dash_address prometheus 9090)${page:+/graph?${page#&}}"
}

verb_dash() {
  choose_world
  [ "$world" = compose ] || fail "make dash needs Docker with Compose, for Prometheus and Grafana. Without it: make live"
  ! dash_is_up || fail "It is up already, in another terminal. Its end: Ctrl-C there, or make down."
  prepare_compose
  resolve_compose
  [ "$(setting TIERS)" = edge,api ] || refuse "TIERS=$(setting TIERS): the dashboards know the chain edge,api. Leave TIERS out."
  choose_watchers
  project=$dash_project
  project_services+=(traffic "${watchers[@]}")
  export COMPOSE_PROFILES=observe
  say "Starting the chain and ${watchers[*]} …"
  watch_over
  bring_up
  mkdir -p .lab
  printf '%s\n' "$project" >"$dash_mark"
  print_addresses
  say "Under policies/$(setting POLICY).env, with $(setting RATE) requests a second. In another terminal: make break, make test, make run POLICY=…" "Its end: Ctrl-C here, or make down."
  stay
}

# Until a signal comes, or a service of the chain is gone. Grafana alone may end without an end to the rest.
stay() {
  local dead
  while supervise sleep 2 && [ -z "$interrupted" ]; do
    [ -f "$dash_mark" ] || { say "It was taken down from elsewhere." && return; }
    dead=$(project_containers --all --filter status=exited --filter label=com.docker.compose.service=grafana)
    if [ -n "$dead" ]; then
      tell_of_dead_services || true
      docker rm "$dead" >/dev/null
      watchers=(prometheus)
      say "" "Going on without Grafana."
      print_addresses
    fi
    tell_of_dead_services || exit 1
  done
}

switch_dash() {
  scratch=$(mktemp -d)
  trap leave_compose EXIT
  set_user
  settings+=(WORLD=compose)
  say "A chain with dashboards is up (make dash): its policy is switched. For a run of its own: WORLD=process, or end make dash."
  cli_network="${dash_project}_default" cli_compose switch http://traffic:8080
}
