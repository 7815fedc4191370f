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

# Sets compose to the command that answers: the plugin first.
find_compose() {
  if docker compose version >/dev/null 2>&1; then
    compose=(docker compose)
  elif command -v docker-compose >/dev/null 2>&1 && docker-compose version >/dev/null 2>&1; then
    compose=(docker-compose)
  else
    return 1
  fi
}

# Sets without_compose to what is missing; empty when Compose can be used. A Ctrl-C ends the questions too, and their
# unanswered ends say nothing about Docker.
look_for_compose() {
  ask_for_compose
  [ -z "${interrupted:-}" ] || fail "Stopped before anything was started."
}

ask_for_compose() {
  without_compose=""
  if ! command -v docker >/dev/null 2>&1; then
    without_compose="there is no docker command"
  elif ! within 5 docker info --format '{{.ServerVersion}}'; then
    without_compose="no Docker engine answered within 5 s"
  elif ! find_compose; then
    without_compose="a Docker engine answers, but neither \"docker compose\" nor docker-compose is there"
  fi
}

# WORLD as a file of settings may write it: after "export", with spaces, quotes, a comment, a byte order mark, line ends
# of Windows. Whether it is a world is judged by choose_world.
world_in_file() {
  LC_ALL=C tr -d '\357\273\277\r' |
    sed -n "s/^[[:blank:]]*\(export[[:blank:]]\{1,\}\)\{0,1\}WORLD[[:blank:]]*=[[:blank:]]*[\"']\{0,1\}\([^\"'#[:blank:]]*\).*/\2/p"
}

# The environment or the command line first, then the user's .env.
wanted_world() {
  local wanted=${WORLD:-}
  if [ -z "$wanted" ] && [ -f .env ]; then
    wanted=$(world_in_file <.env | tail -n 1)
  fi
  printf '%s' "${wanted:-auto}"
}

# Sets world to compose or process, and tells the lab.
choose_world() { # [quietly]
  local wanted why
  wanted=$(wanted_world)
  case $wanted in
    process | virtual) world=process why="WORLD=$wanted says so" ;;
    compose)
      look_for_compose
      [ -z "$without_compose" ] || fail "WORLD=compose, but $without_compose. Start Docker, or use WORLD=process."
      world=compose why="WORLD=compose says so"
      ;;
    auto)
      look_for_compose
      if [ -z "$without_compose" ]; then
        world=compose why="a Docker engine answers; WORLD=process does without"
      else
        world=process why="$without_compose"
      fi
      ;;
    *) refuse "WORLD=$wanted is not a world: use compose, process, virtual, or auto (Compose where a Docker engine answers)." ;;
  esac
  [ "$wanted" = virtual ] || wanted=$world
  if [ "${1:-}" != quietly ]; then
    case $wanted in
      compose) say "World: Docker Compose ($why)." ;;
      process) say "World: local processes ($why)." ;;
      virtual) say "World: virtual time ($why)." ;;
    esac
  fi
  # Not an override of the user's: a policy file may not choose a world, this script has chosen it.
  export WORLD=$wanted
}
