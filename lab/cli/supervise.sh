# Waiting for a program in such a way that a signal to this script is heard at once. Read by bin/lab.
#
# bash runs a trap only between two commands; `wait` is the one thing it interrupts. So programs run in the background
# and are waited for. Unless `apart`, they stay in the terminal's foreground group, and get a Ctrl-C of
# the terminal too.

interrupted=""
supervised=""
# Which signals are handed on, as in `forward=no supervise docker …`. yes: all. terminal: all but the first Ctrl-C, which
# has reached the program as well. no: none, to a program that should rather end its work than leave half of it.
forward=yes
# What hands a signal on.
by="kill -TERM"
# yes: the program gets a process group of its own, where a Ctrl-C of the terminal does not reach it. It must not read the
# terminal then.
apart=no

on_signal() {
  local first=${interrupted:-none}
  interrupted=$1
  case "$forward $1 $first" in no\ * | "terminal INT none") return 0 ;; esac
  [ -z "$supervised" ] || $by "$supervised" 2>/dev/null || true
  [ -z "$supervised" ] || [ "$by" != "kill -TERM" ] || send_again "$supervised"
}

# What comes between bash's fork and the program's own start meets the traps above in the child, which forget it. So it is
# sent once more, soon enough to be the same Ctrl-C to a program that has heard the first (loadgen/run/interrupts.ts).
again=""
send_again() { # process
  [ -z "$again" ] || return 0
  { sleep 0.2; kill -TERM "$1"; } </dev/null >/dev/null 2>&1 &
  again=$!
}
for signal in INT TERM HUP; do
  # shellcheck disable=SC2064
  trap "on_signal $signal" "$signal"
done

supervise() { # program argument…
  [ -z "$interrupted" ] || return 1
  local status=0 own=0
  [ "$apart" = no ] || set -m
  "$@" <&0 &
  supervised=$!
  set +m
  # A signal that came before the program's number was known has not been handed on yet.
  [ -z "$interrupted" ] || on_signal "$interrupted"
  while :; do
    status=0
    wait "$supervised" || status=$?
    # After a trap `wait` returns early: the program may still be ending.
    kill -0 "$supervised" 2>/dev/null || break
  done
  # The last `wait` may have been ended by a trap, too, with the program gone by then: its own end is still known.
  if [ "$status" -gt 128 ]; then
    wait "$supervised" 2>/dev/null || own=$?
    [ "$own" -eq 127 ] || status=$own
  fi
  supervised=""
  # The number may be another program's soon.
  [ -z "$again" ] || kill -KILL "$again" 2>/dev/null || true
  again=""
  return "$status"
}
