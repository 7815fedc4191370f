(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
_lab() {
  local -a all
  all=(${(f)"$("$_lab_door" completion answer "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)"})
  if (( $#all )); then
    compadd -S '' -- ${(M)all:#*=}
    compadd -- ${all:#*=}
  else
    compset -P '*='
    _files
  fi
}
compdef _lab lab
