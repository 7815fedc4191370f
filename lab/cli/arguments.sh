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
