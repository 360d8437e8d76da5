#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# heft hold against limits in closed form, and against its own simulations: loads by margins, and friction and grip by
# --limit. 11 stances of 11 kinds; the long form has 110 and simulates all of them (7 minutes), for 6 s instead of 3 s: a nut
# that creeps seems to hold with 1.3e-6 less friction after 3 s, with 3e-7 less after 6 s.
#   HEFT_LONG=1 sh tests/tools/hold.sh build/ci/bin/heft build/ci/bin/test_world_margin_scenes
# usage: hold.sh <heft> <test_world_margin_scenes>
set -u

heft=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
count=${HEFT_LONG:+110} time=${HEFT_LONG:+6}
"$2" "$work" "${count:-11}" >"$work/list" || exit 1

# number <key>: its value in the JSON of the last command
number() { sed -n "s/.*\"$1\": *\([-+.0-9einfa]*\).*/\1/p" "$work/out"; }

while IFS="$(printf '\t')" read -r file body at force torque limit input least; do
  key=$(grep -c keyframe "$file")
  set -- --json --time 0.2
  [ "$key" -eq 0 ] || set -- "$@" --key start
  if ! "$heft" hold "$@" --push "$body" --at="$at" --force="$force" --torque="$torque" ${HEFT_LONG:+--replay} "$file" >"$work/out"; then
    echo "failed $file"
    cat "$work/out"
  fi
  echo "load $file $(number load) $(number gap) $limit $(number replay)"
  [ "$input" != - ] || continue
  "$heft" hold --json --time "${time:-3}" --limit "$input=$(awk "BEGIN { print 0.3 * $least, 3 * $least }" | tr ' ' :)" "$file" >"$work/out" ||
    echo "failed $file"
  echo "input $file $(number failing_value) $(number holding_value) $least"
done <"$work/list" >"$work/found"

awk -v long="${HEFT_LONG:-}" '
function size(x) { return x < 0 ? -x : x }
function most(name, x) { if (x > worst[name]) worst[name] = x }
$1 == "failed" { print; bad = 1 }
$1 == "load" { loads++; gap = $4 / $3; most("width of the bracket of a load", gap)
  if ($5 > 0) { closed++; most("load against its closed form", size($3 / $5 - 1)) }
  if (long) most("load against simulations", size($3 / $6 - 1)) }
$1 == "input" { inputs++; most("width of the bracket of an input", size($4 / $3 - 1))
  most("input against its closed form", size($4 / $5 - 1)) }
END {
  limit["width of the bracket of a load"] = 0.01; limit["load against its closed form"] = 1e-6
  limit["load against simulations"] = 0.01; limit["width of the bracket of an input"] = 0.01
  limit["input against its closed form"] = 1e-6
  printf "%d loads, %d of them in closed form, and %d inputs\n", loads, closed, inputs
  for (name in worst) { well = worst[name] <= limit[name]; bad = bad || !well
    printf "%s: %s: %.1e of at most %g\n", well ? "ok" : "NOT ok", name, worst[name], limit[name] }
  exit bad || loads < 11 || closed < 5 || inputs < 5 }' "$work/found" || { cat "$work/found"; exit 1; }
