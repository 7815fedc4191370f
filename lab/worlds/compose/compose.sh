# The Compose world: needs Docker and nothing else on the host. Read by bin/lab.
#
# One run is one Compose project of its own, so that two labs never meet; whatever ends the run, the trap takes exactly
# that project down.

# One image for each checkout.
image="retry-storm-testbed:$(printf '%s' "$root" | cksum | cut -d ' ' -f 1)"
# The project of `make up`: one for each checkout, so that `make down` finds it.
up_project="rst-up-${image#*:}"
project=""
landing=""
scratch=""

random_word() { LC_ALL=C od -An -N4 -tx1 /dev/urandom | tr -d ' \n'; }

# --- the image -------------------------------------------------------------------------------------------------------

build_image() {
  local arguments=(--quiet --force-rm --tag "$image" --build-arg "NPM_REGISTRY=${npm_config_registry:-https://registry.npmjs.org/}") name log
  # Docker knows these build arguments and keeps them out of the image.
  for name in HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy; do
    [ -z "${!name:-}" ] || arguments+=(--build-arg "$name")
  done
  [ -z "${LAB_BUILD_NETWORK:-}" ] || arguments+=(--network "$LAB_BUILD_NETWORK")
  if [ -r "${NODE_EXTRA_CA_CERTS:-}" ]; then
    # Only when it differs: a new file would make the engine install all packages again.
    cmp -s "$NODE_EXTRA_CA_CERTS" .docker-ca.pem || cp "$NODE_EXTRA_CA_CERTS" .docker-ca.pem
  else
    rm -f .docker-ca.pem
  fi
  docker image inspect "$image" >/dev/null 2>&1 || say "Building the image (first time about 60 s) …"
  log="$scratch/build.log"
  if ! supervise docker build "${arguments[@]}" . >"$log" 2>&1; then
    [ -n "$interrupted" ] || cat "$log" >&2
    fail "The image could not be built${interrupted:+: stopped by a signal}."
  fi
}

# --- who runs and who owns the reports -------------------------------------------------------------------------------

# Programs in containers never run as root, and reports belong to the caller. Two callers need help: root (runs as uid
# 1000 and takes the reports over afterwards), and the user of a rootless engine, for whom "root" in a container is the
# caller, without privileges.
set_user() {
  if docker info --format '{{.SecurityOptions}}' 2>/dev/null | grep -q name=rootless; then
    run_as=0:0
  elif [ "$(id -u)" -eq 0 ]; then
    run_as=1000:1000
  else
    run_as="$(id -u):$(id -g)"
  fi
}

prepare_compose() {
  scratch=$(mktemp -d)
  trap leave_compose EXIT
  set_user
  build_image
}

# --- the lab's own commands, in a container --------------------------------------------------------------------------

# The variables that may be meant for the lab: those of the command line, and of the rest of the environment those that
# are called like a knob, or like a knob behind a tier's name.
settings() {
  local knobs name
  knobs=$(sed -n 's/^#\{0,1\} *\([A-Z][A-Z0-9_]*\)=.*/\1/p' .env.example | tr '\n' '|')
  printf '%s\n' LAB_OVERRIDES ${LAB_OVERRIDES:-}
  for name in $(compgen -e); do
    if [[ $name =~ ^([A-Z][A-Z0-9]*_)?(${knobs%|})$ ]]; then printf '%s\n' "$name"; fi
  done
}

# Where a folder of reports lies in a container: a path of the project keeps its name, so that messages name a path that
# is true outside too.
inside() { case $1 in /*) printf '%s' "$1" ;; *) printf '/lab/%s' "$1" ;; esac; }
outside() { case $1 in /*) printf '%s' "$1" ;; *) printf '%s/%s' "$root" "$1" ;; esac; }

cli_compose() { # command argument…
  local arguments=(run --rm --init --network "${cli_network:-none}" --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges) name
  arguments+=(--user "$run_as" --volume "$root/policies:/lab/policies:ro")
  [ ! -f .env ] || arguments+=(--volume "$root/.env:/lab/.env:ro")
  if [ -n "${reports_mount:-}" ]; then
    arguments+=(--volume "$(outside "$reports_mount"):$(inside "$reports_mount"):ro")
  fi
  for name in $(settings) NO_COLOR FORCE_COLOR; do
    [ -z "${!name+x}" ] || arguments+=(--env "$name")
  done
  [ ! -t 1 ] || arguments+=(--tty)
  supervise_whole docker "${arguments[@]}" "$image" node dist/lab/cli/main.js "$@"
}

setting() { sed -n "s/^$1='\(.*\)'\$/\1/p" "$scratch/run.env"; } # NAME

# --- a run -----------------------------------------------------------------------------------------------------------

project_files=()
project_services=()

# Writes what the containers get. Faults of the settings end everything here, before any container of the chain.
resolve_compose() { # folder-within-the-reports
  local into=$1 tiers
  : >"$scratch/run.env"
  chmod 600 "$scratch/run.env"
  cli_compose resolve --format env ${into:+--into "$into"} >"$scratch/run.env" || exit $?
  tiers=$(setting TIERS)
  project_files=(-f compose.yaml)
  # shellcheck disable=SC2206
  project_services=(backend ${tiers//,/ })
  if [ "$tiers" != edge,api ]; then
    cli_compose resolve --format compose >"$scratch/tiers.json" || exit $?
    project_files+=(-f "$scratch/tiers.json")
  fi
  export LAB_IMAGE=$image LAB_ENV_FILE="$scratch/run.env" LAB_USER=$run_as
}

project_compose() { "${compose[@]}" --project-directory "$root" -p "$project" "${project_files[@]}" "$@"; }

cannot_write_reports() {
  fail "REPORTS_DIR=$(setting REPORTS_DIR) cannot be written to: choose a folder that is yours, with room. Nothing was started."
}

# A folder that the programs may write to. Root's is handed over for the run and taken back in `collect`.
prepare_reports() {
  local reports
  reports=$(outside "$(setting REPORTS_DIR)")
  case $reports in
    *:*) refuse "REPORTS_DIR=$(setting REPORTS_DIR): Docker takes a colon for the end of a folder's path. Choose another folder, or use WORLD=process." ;;
  esac
  mkdir -p "$reports" 2>/dev/null && [ -w "$reports" ] || cannot_write_reports
  LAB_REPORTS=$reports
  if [ "$run_as" = 1000:1000 ] && [ "$(id -u)" -eq 0 ]; then
    landing=$(mktemp -d "$reports/.landing-XXXXXX" 2>/dev/null) || cannot_write_reports
    chown 1000:1000 "$landing"
    LAB_REPORTS=$landing
  fi
  LAB_REPORTS_INSIDE=$(inside "$(setting REPORTS_DIR)")
  export LAB_REPORTS LAB_REPORTS_INSIDE
}

collect() {
  [ -n "$landing" ] || return 0
  chown -R "$(id -u):$(id -g)" "$landing"
  find "$landing" -mindepth 1 -maxdepth 1 -exec mv {} "${landing%/*}/" \;
  rmdir "$landing"
  landing=""
}

# A container that looks for the collector at its own localhost finds nobody there.
warn_of_localhost() {
  local name
  for name in OTEL_EXPORTER_OTLP_TRACES_ENDPOINT OTEL_EXPORTER_OTLP_ENDPOINT; do
    if [[ ${!name:-} =~ ^https?://(localhost|127\.) ]]; then
      say "$name=${!name}: in a container that is the container itself, so no span will arrive. Name this machine as containers see it (host.docker.internal with Docker Desktop, often 172.17.0.1 on Linux), or use WORLD=process."
    fi
  done
}

run_compose() { # folder-within-the-reports argument…
  local into=$1 status=0 terminal=()
  shift
  resolve_compose "$into"
  prepare_reports
  project="rst-$(random_word)"
  bring_up
  { [ -t 0 ] && [ -t 1 ]; } || terminal=(-T)
  # The services are there already; --no-deps keeps those away that TIERS leaves out.
  supervise_terminal project_compose run --rm --no-deps ${terminal[@]+"${terminal[@]}"} load node dist/lab/worlds/load/main.js "$@" || status=$?
  [ -n "$interrupted" ] || tell_of_dead_services || status=1
  [ -z "$interrupted" ] || status=1
  leave_project
  return "$status"
}

bring_up() {
  local status=0
  warn_of_localhost
  supervise_whole project_compose up -d "${project_services[@]}" >"$scratch/up.log" 2>&1 || status=$?
  [ -z "$interrupted" ] || exit 1
  [ "$status" -eq 0 ] && return
  cat "$scratch/up.log" >&2
  tell_of_dead_services || true
  fail "The chain did not start: see above."
}

project_containers() { docker ps --quiet --filter "label=com.docker.compose.project=$project" "$@"; }

# False when a service of the chain has ended on its own; prints its last words.
tell_of_dead_services() {
  local container name code dead=0
  for container in $(project_containers --all --filter status=exited --filter label=com.docker.compose.oneoff=False); do
    name=$(docker inspect --format '{{index .Config.Labels "com.docker.compose.service"}}' "$container")
    code=$(docker inspect --format '{{.State.ExitCode}}' "$container")
    say "" "The service \"$name\" ended during the run (exit code $code). Its last lines:"
    docker logs --tail 20 "$container" 2>&1 | cut -c 1-500 | sed 's/^/  /' >&2
    dead=1
  done
  return "$dead"
}

# --- the end ---------------------------------------------------------------------------------------------------------

# Takes this run's project down, and nothing else. What a client that was stopped halfway had still asked the engine for
# may come up a moment later, so it looks again.
leave_project() {
  [ -n "$project" ] || return 0
  local round left
  project_compose down -v --remove-orphans -t 5 >"$scratch/down.log" 2>&1 || cat "$scratch/down.log" >&2
  for round in 1 2 3; do
    left=$(project_containers --all)
    [ -n "$left" ] || break
    # shellcheck disable=SC2086
    docker rm -f $left >/dev/null 2>&1 || true
    [ "$round" -lt 3 ] || say "Still there: containers $left of the project $project. Remove them with: docker rm -f $left"
  done
  docker network rm "${project}_default" >/dev/null 2>&1 || true
  project=""
  collect
}

leave_compose() {
  local status=$?
  trap '' INT TERM HUP # the end itself is not to be interrupted; it is bounded
  leave_project
  collect
  rm -rf "$scratch"
  # What a signal has ended is a run that failed (bin/lab).
  [ "$status" -lt 128 ] || status=1
  exit "$status"
}

# --- a chain that stays ----------------------------------------------------------------------------------------------

chain_address() { printf 'http://%s' "$(project_compose port "$1" 8080 2>/dev/null || echo 'not published')"; } # service

# As `lab up --json` says it of processes.
print_chain_json() {
  local service tiers=""
  for service in "${project_services[@]:1}" "${project_services[0]}"; do
    tiers="$tiers,{\"name\":\"$service\",\"url\":\"$(chain_address "$service")\"}"
  done
  printf '{"policy":"%s","tiers":[%s]}\n' "$(setting POLICY)" "${tiers#,}"
}

up_compose() { # [--json]
  local service
  case ${1:-} in '' | --json) ;; *) refuse "\"up\" knows no $1. It takes settings, and --json." ;; esac
  resolve_compose ""
  project=$up_project
  project_files+=(-f compose.ports.yaml)
  bring_up
  if [ "${1:-}" = --json ]; then
    print_chain_json
  else
    say "The chain is up, with the settings of policies/$(setting POLICY).env. Addresses:"
    for service in "${project_services[@]}"; do printf '  %-8s %s\n' "$service" "$(chain_address "$service")"; done
    say "Try: curl -i $(chain_address "${project_services[1]}")/orders/1" "Its end: make down"
  fi
  project="" # it stays
}

down_compose() {
  command -v docker >/dev/null 2>&1 || return 0
  within 5 docker info || return 0
  find_compose || return 0
  project=$up_project
  scratch=$(mktemp -d)
  if [ -n "$(project_containers --all)" ]; then
    project_files=(-f compose.yaml)
    leave_project
    say "The chain in Compose is down."
  fi
  project=""
  rm -rf "$scratch"
}

clean_compose() {
  command -v docker >/dev/null 2>&1 && within 5 docker info || return 0
  if docker image inspect "$image" >/dev/null 2>&1; then docker image rm "$image" >/dev/null; fi
}
