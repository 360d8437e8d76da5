#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# 'heft judge --log' finds nothing in logs of Heft, with their forces and without.
# usage: referee.sh HEFT SCENES
#     HEFT_LONG=1   a million steps; each run is printed
set -eu
heft=$1 scenes=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
steps=0 broken=0

# NAME TIME [OPTION]: judges a run. With --infer, forces are ignored.
judge() {
  file=$scenes/$1.xml name=$1 time=$2
  shift 2
  [ -f "$file" ] || file=$name
  "$heft" run "$file" --time "$time" --log "$work/run.mcap" >"$work/out" || { cat "$work/out"; exit 1; }
  code=0
  "$heft" judge --log "$work/run.mcap" "$@" >"$work/out" || code=$?
  [ $code -le 1 ] || { echo "$name: exit code $code"; exit 1; }
  steps=$((steps + $(sed -n 's/^.*: \([0-9]*\) steps, .*/\1/p' "$work/out")))
  if [ $code = 1 ]; then
    echo "$name:"
    cat "$work/out"
    broken=$((broken + $(sed -n 's/^\([0-9]*\) of [0-9]* rows break.*/\1/p' "$work/out")))
  fi
  [ -z "${HEFT_LONG:-}" ] || echo "$name $time $*: $steps steps so far, $broken broken"
}

for scene in stack table slope cradle bounce two_boxes; do judge $scene 0.1; done
judge walk 1.3  # its ankles are stiff springs
for scene in table slope; do judge $scene 0.05 --infer; done
judge bounce 0.46 --infer  # it lands within a step, apart at both ends
if [ -n "${HEFT_LONG:-}" ]; then
  for scene in tumbler cradle; do judge $scene 150; done
  for scene in bounce rocking disk chain quadruped table roll slope; do judge $scene 60; done
  for robot in walk jump sway:law=1; do judge $robot 60; done  # the default of sway is another law
  for scene in two_boxes pinch cards painleve stack; do judge $scene 20; done
  for scene in wall pyramid humanoid_8; do judge $scene 5; done
  for scene in stack table slope cradle tumbler bounce pinch chain rocking disk; do judge $scene 2 --infer; done
fi
echo "heft judge: $steps steps of Heft, $broken break a law"
[ $broken = 0 ]
