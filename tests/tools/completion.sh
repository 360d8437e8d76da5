#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Completion in bash: verbs, options of a verb, names; and options with "=".
# usage: completion.sh <heft> <folder of scenes>
set -eu
heft=$1 scenes=$2
file=$scenes/../apps/completions/heft.bash
command -v bash >/dev/null || { echo "skipped: no bash"; exit 77; }
bad=0
# expect <word that must be offered> <words of the line>...
expect() {
  wanted=$1
  shift
  got=$(bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _heft; printf "%s\n" "${COMPREPLY[@]}"' "$file" "$heft" "$@")
  printf '%s\n' "$got" | grep -qx -- "$wanted" || { echo "NOT ok: '$wanted' after '$*': $got"; bad=1; }
}
# Names of interactive scenes and options of the window, in builds that have it.
if "$heft" view --help >/dev/null 2>&1; then
  expect --plugin view --pl
  expect walk view wa
  expect walk serve wa
else
  echo "completion: the verb view was left out, this build has no viewer"
fi
expect validate v
expect --contact-model run --con
expect serve sweep ser
expect --out sweep run --ou
expect --idle work --id
expect replay sweep re
expect --shard sweep run --sh
expect stand experiment st
expect motion bench mo
expect slope validate slo
expect humanoid view human
expect quadruped info quad
expect --floor run --fl
expect --json solve --js
"$heft" run "$scenes/slope.xml" --quiet --time=0.01 --step=0.001 | grep -q "10 steps of 0.001 s" ||
  { echo "NOT ok: --option=value"; bad=1; }
[ $bad -eq 0 ] && echo "completion: ok"
