# Sourced by .ci/run: a step is quiet while it succeeds, and shows all that it printed when it fails.

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

step() { # name command…
  local name=$1 from=$SECONDS
  shift
  if ! timeout --kill-after=30 900 "$@" >"$logs/$name" 2>&1 </dev/null; then
    cat "$logs/$name"
    printf '\nFAILED after %d s: %s (%s)\n' "$((SECONDS - from))" "$name" "$*"
    exit 1
  fi
  printf 'ok %4d s  %s\n' "$((SECONDS - from))" "$name"
}

closing_lines() { # name: how many tests that step ran, and how they ended
  grep -E '^(ℹ|#) (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) ' "$logs/$1"
}
