# Waiting for a program in such a way that a signal to this script is heard at once. Read by bin/lab.
#
# bash runs a trap only between two commands; `wait` is the one thing it interrupts. So programs run in the background
# and are waited for. They stay in the terminal's foreground group, and get a Ctrl-C of the terminal too.

interrupted=""
attended=""
forward=yes

on_signal() {
  interrupted=$1
  if [ -n "$attended" ] && [ "$forward" = yes ]; then kill -TERM "$attended" 2>/dev/null || true; fi
}
trap 'on_signal INT' INT
trap 'on_signal TERM' TERM
trap 'on_signal HUP' HUP

attend() { # program argument…
  [ -z "$interrupted" ] || return 1
  local status=0
  "$@" <&0 &
  attended=$!
  while :; do
    status=0
    wait "$attended" || status=$?
    # After a trap `wait` returns early: the program may still be ending.
    kill -0 "$attended" 2>/dev/null || break
  done
  attended=""
  return "$status"
}

# The same for a program that should rather end its work, because half of it is harder to take back.
attend_whole() {
  local status=0
  forward=no
  attend "$@" || status=$?
  forward=yes
  return "$status"
}
