#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `heft run` counts steps that were not solved and says what to do; its logs contain the same counts.
# usage: run_status.sh HEFT SCENES
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# expect TEXT OPTIONS...: a run with these options prints the text, and ends without failure.
expect() {
  text=$1
  shift
  "$@" >"$work/out"
  grep -q "  steps  *$text" "$work/out" || { echo "not found: $text"; cat "$work/out"; exit 1; }
}

# count COLUMN VALUE: steps in the log whose column, counted from the end, is not below the value.
count() {
  awk -F, -v back="$1" -v least="$2" 'NR > 1 && $(NF - back) >= least { ++n } END { print n + 0 }' "$work/a.csv"
}

run() { expect "$1" "$heft" run --time 0.3 --log "$work/a.csv" $2 "$scenes/$3"; }

heft=$1
scenes=$2
run 'all 300 steps solved$' '' humanoid_8.xml
[ "$(count 2 1)" = 0 ] || { echo "the log contains steps that were not solved"; exit 1; }

run '[1-9][0-9]* of 300 steps inexact, worst relative residual .*: raise effort_max' '--effort-max 1' humanoid_8.xml
found=$(sed -n 's/.* \([0-9]*\) of 300 steps inexact.*/\1/p' "$work/out")
[ "$(count 5 1)" = "$found" ] || { echo "the log contains another number of inexact steps"; exit 1; }

run '[1-9][0-9]* contact points dropped in .* of 300 steps: raise contact_capacity' '--contact-capacity 4' humanoid_8.xml
found=$(sed -n 's/.* dropped in \([0-9]*\) of 300 steps.*/\1/p' "$work/out")
[ "$(count 4 1)" = "$found" ] || { echo "the log contains another number of steps with dropped points"; exit 1; }

# rk4 refuses contact: the run ends, exits with 1 and names the two bodies.
if "$heft" run --time 0.3 --integrator rk4 "$scenes/slope.xml" >"$work/out"; then echo "rk4 went on"; exit 1; fi
grep -q '  stopped  *contact, which rk4 leaves out.*use moreau' "$work/out" || { echo "no word about rk4"; exit 1; }
grep -q "  contact  *of 'block' and the world" "$work/out" || { echo "the contact is not named"; cat "$work/out"; exit 1; }

# limits, loops and dry friction are left out, and the steps are inexact.
cat >"$work/limit.xml" <<'END'
<mujoco><worldbody><body pos="0 0 1"><joint type="hinge" axis="0 1 0" limited="true" range="-10 10"/>
<geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" contype="0" conaffinity="0"/></body></worldbody></mujoco>
END
expect '[1-9][0-9]* of 150 steps inexact' "$heft" run --time 0.3 --integrator rk4 "$work/limit.xml"
grep -q 'rk4 leaves out limits, loops and dry friction' "$work/out" || { echo "no word about rk4"; exit 1; }

for wrong in '--effort-max 0' '--contact-capacity many' '--effort-max 1e12'; do
  if "$heft" run $wrong "$scenes/slope.xml" >/dev/null 2>"$work/err"; then echo "$wrong was taken"; exit 1; fi
  grep -q '^heft run: ' "$work/err" || { echo "$wrong: no message"; exit 1; }
done
