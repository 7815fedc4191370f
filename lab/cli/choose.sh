# Which world a run gets, and why, in one line. Read by bin/lab.

# True when the command ends well within the seconds given. (macOS has no `timeout`.)
within() { # seconds command…
  local tenths=$(($1 * 10)) pid
  shift
  "$@" >/dev/null 2>&1 </dev/null &
  pid=$!
  while [ "$tenths" -gt 0 ] && kill -0 "$pid" 2>/dev/null; do
    sleep 0.1
    tenths=$((tenths - 1))
  done
  kill -KILL "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null
}

# Sets compose to the command that answers, the plugin first, and without_compose to what is missing: to nothing when Compose
# can be used. A Ctrl-C ends the questions too, and their unanswered ends say nothing about Docker.
look_for_compose() {
  without_compose="" compose=(docker compose)
  if ! command -v docker >/dev/null 2>&1; then
    without_compose="there is no docker command"
  elif [[ $(docker --version 2>/dev/null) == *[Pp]odman* ]]; then
    without_compose="\"docker\" is Podman here, and a Docker engine is needed"
  elif ! within 5 docker info --format '{{.ServerVersion}}'; then
    without_compose="no Docker engine answered within 5 s"
  elif ! docker compose version >/dev/null 2>&1; then
    compose=(docker-compose)
    docker-compose version >/dev/null 2>&1 ||
      without_compose="a Docker engine answers, but neither \"docker compose\" nor docker-compose is there"
  fi
  [ -z "${interrupted:-}" ] || fail "Stopped before anything was started."
}

# WORLD as a file of settings may write it: after "export", with spaces, quotes, a comment, a byte order mark, line ends
# of Windows. Whether it is a world is judged by choose_world.
world_in_file() {
  LC_ALL=C tr -d '\357\273\277\r' |
    sed -n "s/^[[:blank:]]*\(export[[:blank:]]\{1,\}\)\{0,1\}WORLD[[:blank:]]*=[[:blank:]]*[\"']\{0,1\}\([^\"'#[:blank:]]*\).*/\2/p"
}

# The environment or the command line first, then the user's .env.
wanted_world() {
  local wanted
  wanted=$(value_of WORLD)
  [ -n "$wanted" ] || [ ! -f .env ] || wanted=$(world_in_file <.env | tail -n 1)
  printf '%s' "${wanted:-auto}"
}

# Sets world to compose or process, and tells the lab.
choose_world() { # [quietly]
  local wanted why name
  wanted=$(wanted_world)
  why="WORLD=$wanted says so"
  case $wanted in
    process | virtual) ;;
    compose | auto) look_for_compose ;;
    *) refuse "WORLD=$wanted is not a world: use compose, process, virtual, or auto (Compose where a Docker engine answers)." ;;
  esac
  if [ "$wanted" = auto ]; then
    wanted=process why=$without_compose
    [ -n "$without_compose" ] || wanted=compose why="a Docker engine answers; WORLD=process does without"
  fi
  world=process
  case $wanted in
    process) name="local processes" ;;
    virtual) name="virtual time" ;;
    compose)
      [ -z "$without_compose" ] || fail "WORLD=compose, but $without_compose. Start Docker, or use WORLD=process."
      world=compose name="Docker Compose"
      ;;
  esac
  [ "${1:-}" = quietly ] || say "World: $name ($why)."
  # Not an override of the user's: a policy file may not choose a world, this script has chosen it.
  settings+=("WORLD=$wanted")
}
