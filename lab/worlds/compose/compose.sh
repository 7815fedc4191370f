# The Compose world: needs Docker and nothing else on the host. Read by bin/lab.
#
# One run is one Compose project of its own, so that two labs never meet; whatever ends the run, the trap takes exactly
# that project down.

# One image for each checkout, and one project of `make up`, so that `make down` finds it.
image="retry-storm-testbed:$(printf '%s' "$root" | cksum | cut -d ' ' -f 1)"
up_project="rst-up-${image#*:}"
project="" landing="" scratch="" reports_mount="" cli_network=none watcher=""
project_files=() project_services=()

prepare_compose() {
  scratch=$(mktemp -d)
  trap leave_compose EXIT
  set_user
  build_image
  [ -z "$elsewhere" ] || name_reports
}

# What messages name has to be true where the caller stands: in full, where that is not the project's folder.
name_reports() {
  local reports
  reports=$(cli_compose resolve --get REPORTS_DIR) || exit $?
  settings+=("REPORTS_DIR=$(outside "$reports")")
}

# Programs in containers never run as root, and reports belong to the caller. Two callers need help: root (runs as uid
# 1000 and takes the reports over afterwards), and the user of a rootless engine, for whom "root" in a container is the
# caller, without privileges.
set_user() {
  run_as="$(id -u):$(id -g)"
  [ "$(id -u)" -ne 0 ] || run_as=1000:1000
  ! docker info --format '{{.SecurityOptions}}' 2>/dev/null | grep -q name=rootless || run_as=0:0
  shared=$root
  if [ "$run_as" = 1000:1000 ] && [ "$(id -u)" -eq 0 ]; then # under root's umask, its files may be closed to them
    shared=$scratch/shared
    mkdir "$shared"
    cp -R policies grafana $([ ! -f .env ] || echo .env) "$shared"
    chown -R 1000:1000 "$shared"
  fi
  export LAB_GRAFANA=$shared/grafana
}

build_image() {
  local arguments=(--quiet --force-rm --tag "$image" --build-arg "NPM_REGISTRY=${npm_config_registry:-https://registry.npmjs.org/}") name
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
  supervise docker build "${arguments[@]}" . >"$scratch/build.log" 2>&1 && return
  [ -n "$interrupted" ] || cat "$scratch/build.log" >&2
  fail "The image could not be built${interrupted:+: stopped by a signal}."
}

# The variables that may be meant for the lab, typed or not.
settings_there() { { compgen -e && printf '%s\n' "${settings[@]%%=*}"; } | grep -xE "$known" || true; }

# Where a folder of reports lies in a container: a path of the project keeps its name, so that messages name a path that
# is true outside too.
inside() { case $1 in /*) printf '%s' "$1" ;; *) printf '/lab/%s' "$1" ;; esac; }
outside() { case $1 in /*) printf '%s' "$1" ;; *) printf '%s/%s' "$root" "$1" ;; esac; }

# The lab's own commands, in a container.
cli_compose() { # command argument…
  local arguments=(run --rm --init --network "$cli_network" --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges) name
  arguments+=(--user "$run_as" --volume "$shared/policies:/lab/policies:ro")
  [ ! -f .env ] || arguments+=(--volume "$shared/.env:/lab/.env:ro")
  [ -z "$reports_mount" ] || arguments+=(--volume "$(outside "$reports_mount"):$(inside "$reports_mount"):ro")
  for name in $(settings_there) LAB_OVERRIDES NO_COLOR FORCE_COLOR; do arguments+=(--env "$name"); done
  [ ! -t 1 ] || arguments+=(--tty)
  forward=no supervise "${settings[@]}" LAB_OVERRIDES="$given" docker "${arguments[@]}" "$image" node dist/lab/cli/main.js "$@"
}

# Every run and comparison leaves its page: the latest is looked up rather than made.
latest_page() {
  local reports page
  reports=$(cli_compose resolve --get REPORTS_DIR) || exit $?
  reports=$(outside "$reports")
  page=$(find "$reports" -mindepth 2 -maxdepth 3 -name report.html -exec ls -td {} + 2>/dev/null | head -n 1)
  [ -n "$page" ] || refuse "There is no report in $reports yet. Make one, for instance with: make break"
  printf '%s\n' "$page"
}

# A folder anywhere is read by the container, which sees nothing else; its page is written here.
report_compose() { # [folder] [--html]
  local word named="" folder page form=path
  for word in "$@"; do
    case $word in
      --html) form=html ;;
      --json) refuse "In Compose, report has no --json: its page is written from outside of the container. Use WORLD=process, which needs Node." ;;
      -*) cli_compose report "$@" || exit $? ;; # which says what it takes
      *) [ -z "$named" ] || refuse "report takes one folder, not $named and $word."; named=$word ;;
    esac
  done
  if [ -z "$named" ]; then
    page=$(latest_page) || exit $?
    [ "$form" = html ] || { printf '%s\n' "$page" && return; }
    named=${page%/*}
  fi
  folder=$(cd "$called_from" && cd -P -- "$named" 2>/dev/null && pwd) || refuse "There is no folder $named."
  case $folder in *:*) refuse "$folder: Docker takes a colon for the end of a folder's path. Use WORLD=process, which needs Node." ;; esac
  if [ "$form" = html ]; then
    reports_mount=$folder cli_compose report --html "$folder"
  else
    [ -w "$folder" ] || refuse "$folder cannot be written to. --html prints the page instead."
    write_page "$folder" "$folder" "$folder/report.html"
    printf '%s\n' "$folder/report.html"
  fi
}

setting() { sed -n "s/^$1='\(.*\)'\$/\1/p" "$scratch/run.env"; } # NAME

# Writes what the containers get. Faults of the settings end everything here, before any container of the chain.
resolve_compose() { # [folder-within-the-reports]
  local tiers
  (umask 077 && : >"$scratch/run.env")
  cli_compose resolve --format env ${1:+--into "$1"} >"$scratch/run.env" || exit $?
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

cannot_write_reports() {
  refuse "REPORTS_DIR=$(setting REPORTS_DIR) cannot be written to: choose a folder that is yours, with room. Nothing was started."
}

# A folder that the programs may write to. Root's is handed over for the run and taken back in `collect`.
prepare_reports() {
  LAB_REPORTS=$(outside "$(setting REPORTS_DIR)")
  LAB_REPORTS_INSIDE=$(inside "$(setting REPORTS_DIR)")
  case $LAB_REPORTS in
    *:*) refuse "REPORTS_DIR=$(setting REPORTS_DIR): Docker takes a colon for the end of a folder's path. Choose another folder, or use WORLD=process." ;;
  esac
  mkdir -p "$LAB_REPORTS" 2>/dev/null && [ -w "$LAB_REPORTS" ] || cannot_write_reports
  if [ "$run_as" = 1000:1000 ] && [ "$(id -u)" -eq 0 ]; then
    landing=$(mktemp -d "$LAB_REPORTS/.landing-XXXXXX" 2>/dev/null) || cannot_write_reports
    chown 1000:1000 "$landing"
    LAB_REPORTS=$landing
  fi
  export LAB_REPORTS LAB_REPORTS_INSIDE
}

collect() {
  [ -n "$landing" ] || return 0
  chown -R "$(id -u):$(id -g)" "$landing"
  find "$landing" -mindepth 1 -maxdepth 1 -exec mv {} "${landing%/*}/" \;
  rmdir "$landing"
  landing=""
}

project_compose() { "${settings[@]}" "${compose[@]}" --project-directory "$root" -p "$project" "${project_files[@]}" "$@"; }
project_containers() { docker ps --quiet --filter "label=com.docker.compose.project=$project" "$@"; }

bring_up() {
  local status=0 name to
  for name in OTEL_EXPORTER_OTLP_TRACES_ENDPOINT OTEL_EXPORTER_OTLP_ENDPOINT; do
    to=$(value_of "$name")
    if [[ $to =~ ^https?://(localhost|127\.) ]]; then
      say "$name=$to: in a container that is the container itself, so no span will arrive. Name this machine as containers see it (host.docker.internal with Docker Desktop, often 172.17.0.1 on Linux), or use WORLD=process."
    fi
  done
  forward=no supervise project_compose up -d "${project_services[@]}" >"$scratch/up.log" 2>&1 || status=$?
  [ -z "$interrupted" ] || exit 1
  [ "$status" -ne 0 ] || return 0
  cat "$scratch/up.log" >&2
  tell_of_dead_services || true
  fail "The chain did not start: see above."
}

# False when a service of the chain has ended on its own; prints its last words.
tell_of_dead_services() {
  local container name_and_code dead=0
  for container in $(project_containers --all --filter status=exited --filter label=com.docker.compose.oneoff=False); do
    name_and_code=$(docker inspect --format '"{{index .Config.Labels "com.docker.compose.service"}}" ended during the run (exit code {{.State.ExitCode}})' "$container")
    say "" "The service $name_and_code. Its last lines:"
    docker logs --tail 20 "$container" 2>&1 | cut -c 1-500 | sed 's/^/  /' >&2
    dead=1
  done
  return "$dead"
}

# What services warn of, as lab/worlds/process/warnings.ts says it of processes: each once, ten at most, none at any length.
tell_warnings() {
  local container
  for container in $(project_containers --all --filter label=com.docker.compose.oneoff=False); do
    docker logs "$container" 2>&1 | grep -E '^\{"level":[456]0,' | head -n 1000 || true
  done | awk '
    function field(name) {
      if (!match($0, "\"" name "\":\"([^\"\\\\]|\\\\.)*\"")) return ""
      return substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 5)
    }
    function why(text) { return text == "" ? "" : " (" text ")" }
    {
      text = substr(field("service") ": " field("msg") why(field("reason")) why(field("said")), 1, 300)
      if (told[text]++ == 0 && ++count <= 10) print text
    }' >&2 || true
}

# Asks the load to end and write down what it has. Compose 2, asked instead, would take its container away at once.
end_load() { # number of the client that waits for it
  docker kill --signal TERM "$(project_containers --filter label=com.docker.compose.oneoff=True)" >/dev/null || kill -TERM "$1"
}

# Prints all that comes, also when nobody reads it any more: the client of Compose would die of that, and the load with it.
pass_on() { trap '' INT PIPE; cat 2>/dev/null || cat >/dev/null; }

# Takes the project down where this script is killed, since no trap runs then.
watch_over() {
  { trap '' INT TERM HUP; while kill -0 $$; do sleep 1; done; leave_compose; } </dev/null >/dev/null 2>&1 &
  watcher=$!
  disown # of its end bash says nothing
}

run_compose() { # folder-within-the-reports argument…
  local status=0 readers=()
  resolve_compose "$1"
  shift
  prepare_reports
  project="rst-$(LC_ALL=C od -An -N4 -tx1 /dev/urandom | tr -d ' \n')"
  watch_over
  bring_up
  # The services are there already; --no-deps keeps those away that TIERS leaves out.
  set -- load node dist/lab/worlds/load/main.js "$@"
  if [ -t 0 ] && [ -t 1 ]; then
    forward=terminal by=end_load supervise project_compose run --rm --no-deps "$@" || status=$?
  else
    # A Ctrl-C that reached it would make Compose 2 leave at once, and the load with it, before its summary is written.
    [ -p "$scratch/out" ] || mkfifo "$scratch/out" "$scratch/err"
    pass_on <"$scratch/out" &
    readers+=($!)
    pass_on <"$scratch/err" >&2 &
    readers+=($!)
    apart=yes by=end_load supervise project_compose run --rm --no-deps -T "$@" </dev/null >"$scratch/out" 2>"$scratch/err" || status=$?
    wait "${readers[@]}" || true
  fi
  [ "$status" -ne 137 ] || say "The load was ended by SIGKILL, from outside or for lack of memory: this run has no summary."
  tell_warnings
  [ -n "$interrupted" ] || tell_of_dead_services || status=1
  [ -z "$interrupted" ] || status=1
  leave_project
  return "$status"
}

# Takes this run's project down, and nothing else. What a client that was stopped halfway had still asked the engine for
# may come up a moment later, so it looks again.
leave_project() {
  local round left
  [ -z "$watcher" ] || kill -KILL "$watcher" 2>/dev/null || true
  watcher=""
  [ -n "$project" ] || return 0
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
  [ "$project" != "${dash_project:-none}" ] || rm -f "$dash_mark"
  leave_project
  collect
  rm -rf "$scratch"
  # What a signal has ended is a run that failed (bin/lab).
  [ "$status" -lt 128 ] || status=1
  exit "$status"
}

chain_address() { printf 'http://%s' "$(project_compose port "$1" 8080 2>/dev/null || echo 'not published')"; } # service

up_compose() { # [--json]
  local service tiers=""
  resolve_compose
  project=$up_project
  project_files+=(-f compose.ports.yaml)
  bring_up
  # Compose 2 is back before the programs listen.
  project_compose exec -T "${project_services[1]}" node -e 'setTimeout(() => process.exit(1), 20e3);
    const ask = () => fetch("http://localhost:8080/healthz").then(() => process.exit(0), () => setTimeout(ask, 50)); ask()' </dev/null ||
    fail "The chain did not answer within 20 s."
  if [ "${1:-}" = --json ]; then # as lab/cli/up.ts says it of processes
    for service in "${project_services[@]:1}" backend; do
      tiers="$tiers,{\"name\":\"$service\",\"url\":\"$(chain_address "$service")\"}"
    done
    printf '{"policy":"%s","tiers":[%s]}\n' "$(setting POLICY)" "${tiers#,}"
  else
    say "The chain is up, with the settings of policies/$(setting POLICY).env. Addresses:"
    for service in "${project_services[@]}"; do printf '  %-8s %s\n' "$service" "$(chain_address "$service")"; done
    say "Try: curl -i $(chain_address "${project_services[1]}")/orders/1" "Its end: make down"
  fi
  project="" # it stays
}

# Takes down what an earlier command left: `make up`, or a `make dash` that is in another terminal or was killed.
take_down() { # project what
  project=$1 scratch=$(mktemp -d) project_files=(-f compose.yaml)
  if [ -n "$(project_containers --all)" ]; then
    leave_project
    say "The chain $2 is down."
  fi
  project=""
  rm -rf "$scratch"
}

down_compose() {
  rm -f "$dash_mark"
  look_for_compose
  [ -z "$without_compose" ] || return 0
  take_down "$up_project" "in Compose"
  COMPOSE_PROFILES=observe take_down "$dash_project" "with dashboards"
}

clean_compose() {
  # An engine without Compose may still have the image.
  within 5 docker image inspect "$image" || return 0
  docker image rm "$image" >/dev/null
}
