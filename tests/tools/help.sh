#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The man page and --help agree: the same verbs in the same order, the same line about the command,
# and no option in the man page that no verb has. No line of help is longer than 100 columns.
# usage: help.sh <heft> <folder of scenes>
set -eu
heft=$1
page=$2/../docs/man/heft.1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
complain() { echo "NOT ok: $*"; bad=1; }

"$heft" --help >"$work/help"
sed -n 's/^  \([a-z][a-z]*\)  *.*/\1/p' "$work/help" >"$work/verbs"
awk '/^\.SH/ { verbs = /VERBS/ } verbs && tagged { print $2 } { tagged = /^\.TP/ }' "$page" >"$work/page_verbs"
[ -s "$work/verbs" ] || complain "no verbs in --help"
diff "$work/verbs" "$work/page_verbs" || complain "the man page has other verbs than --help"
LC_ALL=C sort -c "$work/verbs" || complain "the verbs are not in alphabetical order"

name=$(sed -n 's/^heft \\- //p' "$page")
head -n 1 "$work/help" | grep -qF ": $name" || complain "the man page says '$name', --help another line"

# help_of <verb...>: a build may lack the viewer, and says so
whole=1
help_of() {
  "$heft" "$@" --help >>"$work/help" 2>"$work/error" && return
  if grep -q "built without the viewer" "$work/error"; then
    whole=0
  else
    complain "heft $* --help fails: $(cat "$work/error")"
  fi
}
while read -r verb; do
  help_of "$verb"
done <"$work/verbs"
for bench in $("$heft" bench --help | sed -n 's/^  \([a-z][a-z]*\)  *.*/\1/p'); do
  help_of bench "$bench"
done
sed 's/\\-/-/g' "$page" | grep -oE -- '--[a-z][a-z-]+' | sort -u >"$work/options"
[ "$whole" = 1 ] || echo "help: options of the man page were left out, this build has no viewer"
while [ "$whole" = 1 ] && read -r option; do
  grep -qE -- "$option([^a-z-]|$)" "$work/help" || complain "the man page has $option, no verb does"
done <"$work/options"
LC_ALL=C.UTF-8 awk 'length > 100 { print; long = 1 } END { exit long }' "$work/help" ||
  complain "lines of help above are longer than 100 columns"
[ "$bad" = 0 ] && echo "ok: $(wc -l <"$work/verbs") verbs, $(wc -l <"$work/options") options of the man page"
exit "$bad"
