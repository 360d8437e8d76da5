# SPDX-License-Identifier: Apache-2.0
# Completion of the command heft for bash. Verbs, options and names come from the command itself.
_heft() {
  local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]-} list part=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    list=$("${COMP_WORDS[0]}" --help 2>/dev/null | sed -nE 's/^  ([a-z]+) .*/\1/p')
  elif [ "${word#-}" != "$word" ] && [ "$verb" = sweep ] && [ "$COMP_CWORD" -gt 2 ]; then
    list=$("${COMP_WORDS[0]}" sweep "${COMP_WORDS[2]}" --help 2>/dev/null | grep -oE -- '(^|[ ,])--[a-z][a-z-]*' | tr -d ' ,' | sort -u)
  elif [ "${word#-}" != "$word" ]; then
    [ "$verb" = sweep ] && part=${COMP_WORDS[2]-}
    list=$("${COMP_WORDS[0]}" "$verb" ${part:+"$part"} --help 2>/dev/null | grep -oE -- '(^|[ ,])--[a-z][a-z-]*' | tr -d ' ,' | sort -u)
  else
    case $verb in
      sweep) [ "$COMP_CWORD" -eq 2 ] && list=$("${COMP_WORDS[0]}" sweep --help 2>/dev/null | sed -nE 's/^  ([a-z]+) .*/\1/p') ;;
      bench) [ "$COMP_CWORD" -eq 2 ] && list=$("${COMP_WORDS[0]}" bench --help 2>/dev/null | sed -nE 's/^  ([a-z]+) .*/\1/p') ;;
      experiment) list=$("${COMP_WORDS[0]}" experiment --list 2>/dev/null | sed -nE 's/^ *([a-z]+) .*/\1/p') ;;
      validate) list=$("${COMP_WORDS[0]}" validate --list 2>/dev/null | sed -nE 's/^ *([a-z0-9_-]+) .*/\1/p') ;;
      run | serve | view | render) list=$("${COMP_WORDS[0]}" view --list 2>/dev/null | sed -nE 's/^([a-z]+) .*/\1/p') ;;
    esac
    case $verb in
      check | compare | convert | feel | generate | info | judge | render | run | serve | view)
        list="$list $("${COMP_WORDS[0]}" info --list 2>/dev/null | sed -E 's/ .*//')" ;;
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$list" -- "$word")
}
complete -o default -F _heft heft
