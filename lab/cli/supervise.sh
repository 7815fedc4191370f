# Waiting for a program in such a way that a signal to this script is heard at once. Read by bin/lab.
#
# bash runs a trap only between two commands; `wait` is the one thing it interrupts. So programs run in the background
# and are waited for. They stay in the terminal's foreground group, and get a Ctrl-C of the terminal too.

interrupted=""
supervised=""
forward=yes

on_signal() {
  local first=${interrupted:-none}
  interrupted=$1
  [ -n "$supervised" ] || return 0
  case $forward in
    no) return 0 ;;
    # The first Ctrl-C has reached the program as well.
    terminal) [ "$1 $first" != "INT none" ] || return 0 ;;
  esac
  kill -TERM "$supervised" 2>/dev/null || true
}

hear_signals() {
  trap 'on_signal INT' INT
  trap 'on_signal TERM' TERM
  trap 'on_signal HUP' HUP
}
hear_signals

supervise() { # program argument…
  [ -z "$interrupted" ] || return 1
  local status=0 own=0
  "$@" <&0 &
  supervised=$!
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
  return "$status"
}

supervise_as() { # forward program argument…
  local status=0
  forward=$1
  shift
  supervise "$@" || status=$?
  forward=yes
  return "$status"
}

# The same for a program that takes a Ctrl-C of the terminal for itself, and a second signal for "at once".
supervise_terminal() { supervise_as terminal "$@"; }

# The same for a program that should rather end its work, because half of it is harder to take back.
supervise_whole() { supervise_as no "$@"; }
