# The words behind a verb. Read by bin/lab.
#
# A setting never becomes a variable of this script. Its name goes into `given`, and its value, where the lab may know it,
# into `settings`: the start of a command, put before each program that is to have them. So no word overwrites what the
# script or a program's start lives by, and what is no setting is refused by its name.

# A folder that was typed counts from where it was typed.
from_here() { case $1 in "" | /*) printf '%s' "$1" ;; *) printf '%s' "${elsewhere:+$elsewhere/}$1" ;; esac; } # path

# The names of settings, as a pattern: those of .env.example, also behind a tier's name, and OpenTelemetry's own.
known="([A-Z][A-Z0-9]*_)?($(sed -n 's/^#\{0,1\} *\([A-Z][A-Z0-9_]*\)=.*/\1/p' .env.example | tr '\n' '|')WORLD)|OTEL_[A-Z_]+"

# What was typed behind make is in the environment already.
given=" ${LAB_OVERRIDES:-} "
# A setting of this script rather than of the lab.
named_policies=${POLICIES:-}
unset LAB_OVERRIDES POLICIES
settings=(env)
# Where bin/lab was called, if not in the project's folder.
elsewhere=""
[ "$called_from" -ef "$root" ] || elsewhere=$called_from
[ -z "${REPORTS_DIR:-}" ] || settings+=("REPORTS_DIR=$(from_here "$REPORTS_DIR")")

is_given() { case $given in *" $1 "*) return 0 ;; *) return 1 ;; esac; }

# Of a setting: the last word for it, or else the environment's.
value_of() { # NAME
  local word value=${!1:-}
  for word in "${settings[@]}"; do [ "${word%%=*}" != "$1" ] || value=${word#*=}; done
  printf '%s' "$value"
}

give() { # NAME value
  is_given "$1" || given="$given$1 "
  [ "$1" != POLICIES ] || named_policies=$2
  [[ $1 =~ ^($known)$ ]] || return 0
  [ "$1" != REPORTS_DIR ] || set -- "$1" "$(from_here "$2")"
  settings+=("$1=$2")
}

# Sorts the words behind a verb: NAME=value is a setting, handed to `give`; the rest stays in `arguments`.
# What stands behind --vary names what to vary, not a setting of this run.
take_words() { # word…
  local word before=""
  arguments=()
  for word in "$@"; do
    if [ "$before" != --vary ] && [[ $word =~ ^[A-Za-z_][A-Za-z0-9_]*= ]]; then
      give "${word%%=*}" "${word#*=}"
    else
      arguments+=("$word")
    fi
    before=$word
  done
}

# Refuses what a verb of the shell does not know, before anything is started. Of the others the lab itself says it.
check_words() {
  local word options=""
  case $verb in
    demo | break | test | run | up) options=--json ;;
    dash | down | check | bench | clean) ;;
    *) return 0 ;;
  esac
  for word in ${arguments[@]+"${arguments[@]}"}; do
    [ "$word" = "$options" ] || refuse "\"$verb\" knows no $word. It takes settings${options:+, and $options}."
  done
}
