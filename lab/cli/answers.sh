# What bin/lab answers at once, from files: help, and the completion of what is typed behind it. Read by bin/lab.
#
# A shell's script (completion.bash, .zsh, .fish) asks `bin/lab completion answer WORD…` what can stand at the place of the
# last word. The answer comes from what help and .env.example say: nothing is installed, built or kept up to date for it.

# What a verb takes, or all verbs. From a file, so that nothing has to be installed or built for it.
show_help() { # [verb]
  local text
  [ -n "${1:-}" ] || { cat lab/cli/usage.txt && return; }
  text=$(awk -v verb="$1" '/^## / { shown = $2 == verb; next } shown && !/^```/' docs/verbs.md)
  [ -n "$text" ] || refuse "\"$1\" is not a verb. bin/lab help lists them all."
  printf '%s\n' "$text"
}
verb_completion() {
  case ${arguments[*]-} in
    bash | zsh) printf "_lab_door='%s'\n" "$(quoted_door)" ;;
    fish) printf "set -g _lab_door '%s'\n" "$(quoted_door)" ;;
    *) refuse "\"completion\" takes one shell: bash, zsh or fish, as in: eval \"\$(bin/lab completion bash)\"" ;;
  esac
  cat "lab/cli/completion.${arguments[0]}"
}
quoted_door() { printf '%s' "$root/bin/lab" | sed "s/'/'\\\\''/g"; }

# Of the lines read, each that goes on where the word being typed ends.
offer() { # [what of that word stands before them]
  local line
  while IFS= read -r line; do
    case ${1:-}$line in "$word"*) printf '%s\n' "${1:-}$line" ;; esac
  done
}

policy_names() {
  local file
  for file in policies/*.env policies/production/*.env; do
    file=${file#policies/}
    printf '%s\n' "${file%.env}"
  done
}
# Names with commas between: those before the last comma stand.
offer_policies() { # [what stands before the names]
  case $word in *,*) set -- "${word%,*}," ;; esac
  policy_names | offer "${1:-}"
}

# Settings, and those of a hop behind the name of a tier of the default chain.
setting_names() {
  awk '/^# --- / { hop = /at each hop/ }
    match($0, /^# [A-Z][A-Z0-9_]*=/) { name = substr($0, 3, RLENGTH - 2); print name; if (hop && name !~ /^EDGE_/) print "EDGE_" name "\nAPI_" name }' .env.example
}
offer_values() { # NAME
  case $1 in POLICY | POLICIES) offer_policies "$1=" && return ;; esac
  name=$1 awk '/^$/ { choices = "" }
    /^# One of / { gsub(/^# One of |[.,]/, ""); choices = $0 }
    /^# 0 or 1 / { choices = "0 1" }
    match($0, /^# [A-Z][A-Z0-9_]*=/) {
      wanted = ENVIRON["name"]; name = substr($0, 3, RLENGTH - 3)
      if (wanted != name && substr(wanted, index(wanted, "_") + 1) != name) next
      count = split(choices, each, " "); for (i = 1; i <= count; i++) print each[i]
    }' .env.example | offer "$1="
}

offer_settings() { case $word in *=*) offer_values "${word%%=*}" ;; *) setting_names | offer ;; esac; }

# A verb's options, each on one line with what help says of it.
options_in() { # help of a verb
  printf '%s\n' "$1" | awk '/^Usage/ && /\[--json\]/ { print "--json" } !/^   / { shut() } /^  .*--/ { sub(/^  (-h, )?/, ""); option = $0 }
    /^   / && option { option = option $0 } END { shut() } function shut() { if (option) print option; option = "" }'
}

# What goes behind an option. A folder, a number or a new name is left to the shell and the user.
offer_option_value() { # help's line of the option
  case $1 in
    *'(choices: '*) printf '%s\n' "${1#*(choices: }" | awk -F '"' '{ for (i = 2; i < NF; i += 2) print $i }' | offer ;;
    *'<name='*) offer_settings ;;
    *'<names>'*policies*) offer_policies ;;
  esac
}

answer() { # word… of which the last is being typed
  local word=${!#} help usage option
  [ $# -gt 1 ] || { awk '/^  [a-z-]+( \*)?  / { print $1 }' lab/cli/usage.txt | offer; return; }
  help=$(show_help "$1" 2>/dev/null) || return 0
  usage=${help%%$'\n'*}
  shift $(($# - 2)) # what stands before the last word
  option=$(options_in "$help" | awk -v name="$1" '$1 == name && $2 ~ /^</')
  [ -z "$option" ] || { offer_option_value "$option"; return; }
  case $word in *=*) offer_settings; return ;; esac
  case $usage in *\<bash*) printf '%s\n' bash zsh fish | offer ;; *'[verb]'*) answer "$word" ;; esac
  case $usage in *'[policies...]'*) offer_policies && printf '%s\n' POLICIES= | offer ;; esac
  # Where a folder may stand, the shell's own names of files come first.
  case $word$usage in \[*folder* | \<*folder* | Usage*folder*) return ;; esac
  options_in "$help" | awk '{ print $1 }' | offer
  case $usage in *'[options]'* | *'[NAME=value'*) offer_settings ;; esac
}
