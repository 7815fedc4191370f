# Reads with bash 3.2, which has no compopt: so no word gets a blank of readline's, and a whole one has its own.
_lab() {
  local line=${COMP_LINE:0:COMP_POINT} word head="" candidate
  local -a words
  IFS=$' \t\n' read -r -a words <<<"$line"
  case $line in *[[:blank:]]) words+=("") ;; esac
  word=${words[${#words[@]} - 1]}
  # Readline takes what stands behind a break for the whole word.
  case $COMP_WORDBREAKS$word in *=*=*) head=${word%=*}= ;; esac
  COMPREPLY=()
  while IFS= read -r candidate; do
    candidate=${candidate#"$head"}
    case $candidate in *=) ;; *) candidate+=" " ;; esac
    COMPREPLY+=("$candidate")
  done < <("$_lab_door" completion answer "${words[@]:1}" 2>/dev/null)
}
complete -o nospace -o default -F _lab lab bin/lab ./bin/lab
