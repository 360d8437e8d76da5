#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# heft-check accepts all steps of scenes and robots, and no damaged file.
# usage: check.sh HEFT SCENES
#     HEFT_LONG=1   longer runs, heaps too, a million steps: prints the errors of each, refused steps too
set -eu
heft=$1 scenes=$2
check=$(dirname "$heft")/heft-check
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
steps=0

# NAME TIME [OPTION...]: runs a model of the scenes, or a robot that acts, and checks it.
accept() {
  file=$scenes/$1.xml name=$1 time=$2
  shift 2
  [ -f "$file" ] || file=$name
  "$heft" run "$file" --time "$time" "$@" --evidence "$work/run.mcap" >"$work/out" || { cat "$work/out"; exit 1; }
  "$check" "$work/run.mcap" >"$work/out" || { echo "$name:"; cat "$work/out"; exit 1; }
  steps=$((steps + $(sed -n 's/^\([0-9]*\) steps: .*/\1/p' "$work/out")))
}

# NAME TIME: the same, printed, whatever the answer.
measure() {
  file=$scenes/$1.xml
  [ -f "$file" ] || file=$1
  "$heft" run "$file" --time "$2" --evidence "$work/run.mcap" | grep '^  steps'
  echo "$1:"
  "$check" "$work/run.mcap" || true
}

for scene in stack boxes table roll slope two_boxes pinch chain cradle tumbler bounce wall cards quadruped painleve; do accept $scene 0.1; done
accept humanoid_8 0.1
accept walk 0.3
accept heap 0.4
accept pile 0.5
# Links that turn fast on dampers, in contact: their restraint is a force of the scheme.
cat >"$work/spin.xml" <<'END'
<mujoco><option timestep=".002"/><worldbody><geom type="plane" size="0 0 1" friction=".8"/>
<body pos="0 0 .05"><freejoint/><geom type="box" size=".1 .1 .05" mass="2"/>
<body pos="0 .12 .1"><joint axis="0 1 0" damping=".05" armature=".001"/><geom type="capsule" fromto="0 0 0 .08 0 .03" size=".01" mass=".2"/>
<body pos=".08 0 .03"><joint axis="0 1 0" damping=".02"/><geom type="capsule" fromto="0 0 0 .06 0 0" size=".01" mass=".1"/>
</body></body></body></worldbody><keyframe><key name="k" qvel="0 0 0 0 0 0 15 -25"/></keyframe></mujoco>
END
accept "$work/spin.xml" 0.1 --key k
if [ -n "${HEFT_LONG:-}" ]; then
  for scene in stack boxes table roll slope two_boxes pinch chain cradle tumbler bounce wall cards pile heap pyramid rocking disk; do measure $scene 20; done
  for robot in walk jump squat sway; do measure $robot 60; done
fi

# A file that ends early, and one of another kind.
head -c 20000 "$work/run.mcap" >"$work/short.mcap"
code=0
"$check" "$work/short.mcap" >"$work/out" 2>&1 || code=$?
[ $code = 2 ] || { echo "a short file: exit code $code"; exit 1; }
code=0
"$check" "$0" >"$work/out" 2>&1 || code=$?
[ $code = 2 ] || { echo "no evidence: exit code $code"; exit 1; }
echo "heft-check: $steps steps accepted"
