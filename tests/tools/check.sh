#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# heft-check accepts all steps of scenes and robots, and no damaged file.
# usage: check.sh HEFT SCENES
#     HEFT_CHECK=PROGRAM, HEFT_KEEP=FOLDER   checks by this program; keeps the evidence
#     HEFT_LONG=1   longer runs, heaps too, a million steps: prints the errors of each, refused steps too
set -eu
heft=$1 scenes=$2
check=${HEFT_CHECK:-$(dirname "$heft")/heft-check}
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
  [ -z "${HEFT_KEEP:-}" ] || cp "$work/run.mcap" "$HEFT_KEEP/$steps.mcap"
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
sed 's/<geom type="plane"[^>]*>//' "$work/spin.xml" >"$work/fly.xml"  # nothing holds it
accept "$work/fly.xml" 0.05 --key k
accept roll 0.05 --soft-contacts
# All joints, equalities, actuators on joints, shapes and laws.
cat >"$work/all.xml" <<'END'
<mujoco><option timestep=".001"/><compiler angle="radian"/>
<asset><mesh name="m" vertex="-.03 -.03 -.02 .03 -.03 -.02 0 .04 -.02 0 0 .04"/></asset>
<worldbody><geom name="floor" type="plane" size="0 0 1" friction=".6"/>
<body name="arm" pos="0 0 1"><joint name="a" axis="0 1 0" limited="true" range="-.2 .3" damping=".1" stiffness="1" frictionloss=".05" armature=".01"/>
 <geom type="capsule" fromto="0 0 0 .2 0 0" size=".01" mass="1"/>
 <body name="fore" pos=".2 0 0"><joint name="b" axis="0 1 0" limited="true" range="-1 1" damping=".05"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".01" mass=".5"/></body></body>
<body name="slider" pos="1 0 .5"><joint name="s" type="slide" axis="0 0 1" damping="1" limited="true" range="-.01 .01"/><geom type="box" size=".02 .02 .02" mass=".2"/></body>
<body name="turret" pos="1 .5 .5"><joint name="t" type="slide" axis="1 0 0"/><geom type="box" size=".02 .02 .02" mass=".2"/></body>
<body name="pendulum" pos="2 0 1"><joint name="p" type="ball" limited="true" range="0 .1" damping=".01"/><geom type="capsule" fromto="0 0 0 .1 0 -.2" size=".02" mass=".4"/></body>
<body name="one" pos="3 0 1"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".01" mass=".2"/>
 <body name="two" pos=".2 0 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.2" size=".01" mass=".2"/></body></body>
<body name="three" pos="3.2 0 .8"><joint axis="0 1 0" pos="0 0 .0"/><geom type="capsule" fromto="0 0 0 -.1 0 -.1" size=".01" mass=".2"/></body>
<body name="w1" pos="4 0 .05"><freejoint/><geom type="box" size=".05 .05 .05" mass=".5"/></body>
<body name="w2" pos="4 0 .2"><freejoint/><geom type="cylinder" size=".03 .05" mass=".3"/></body>
<body name="pl" pos="5 0 1"><joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/><joint name="r" axis="0 0 1"/><geom type="box" size=".05 .04 .03" pos=".02 0 0" mass=".5"/></body>
<body name="un" pos="6 0 1"><joint name="u1" axis="1 0 0"/><joint name="u2" axis="0 1 0"/><geom type="box" size=".05 .04 .03" pos=".0 .03 -.1" mass=".5"/></body>
<body name="cy" pos="7 0 1"><joint name="c1" type="slide" axis="0 0 1"/><joint name="c2" type="hinge" axis="0 0 1"/><geom type="box" size=".05 .04 .03" pos=".03 0 0" mass=".5"/></body>
<body name="mesh" pos="8 0 .021"><freejoint/><geom name="tetra" type="mesh" mesh="m" mass=".3"/></body>
<body name="egg" pos="9 0 .031"><freejoint/><geom type="ellipsoid" size=".05 .04 .03" mass=".3"/></body>
<body name="top" pos="10 0 .03"><freejoint/><geom type="sphere" size=".03" mass=".3" condim="6" friction=".6 .005 .001"/></body>
<body name="drop" pos="11 0 .04"><freejoint/><geom type="sphere" size=".03" mass=".3" condim="4"/></body>
<body name="can" pos="12 0 .031"><freejoint/><geom name="can" type="cylinder" size=".03 .03" mass=".3"/></body>
<body name="ex1" pos="13 0 .05"><freejoint/><geom name="rubber" type="box" size=".05 .05 .05" mass=".5"/></body>
<body name="ex2" pos="13 0 .12"><freejoint/><geom name="ice" type="box" size=".05 .05 .05" mass=".5" condim="1"/></body>
</worldbody>
<contact><exclude body1="ex1" body2="ex2"/><exclude body1="two" body2="three"/><pair geom1="can" geom2="floor" friction=".3 .3 0 0 0"/></contact>
<equality><joint joint1="t" joint2="s" polycoef="0 .5 1 0 0"/><connect body1="two" body2="three" anchor="0 0 -.2"/><weld body1="w1" body2="w2"/></equality>
<actuator><position joint="a" kp="20" ctrlrange="-1 1" ctrllimited="true"/><motor joint="b" gear="2" forcelimited="true" forcerange="-.1 .1"/>
<general joint="s" dyntype="filter" dynprm=".05" gainprm="3"/><intvelocity joint="t" kp="5" actrange="-1 1"/></actuator>
<custom><numeric name="heft_material_rubber" data=".7 .5 0 0 0"/><tuple name="heft_material_rubber"><element objtype="geom" objname="rubber" prm="0"/></tuple>
<tuple name="heft_planar_pl"><element objtype="joint" objname="x" prm="0"/><element objtype="joint" objname="y" prm="0"/><element objtype="joint" objname="r" prm="0"/></tuple>
<tuple name="heft_universal_un"><element objtype="joint" objname="u1" prm="0"/><element objtype="joint" objname="u2" prm="0"/></tuple>
<tuple name="heft_cylindrical_cy"><element objtype="joint" objname="c1" prm="0"/><element objtype="joint" objname="c2" prm="0"/></tuple></custom>
</mujoco>
END
# A session of two hands: replayed, with their forces.
"$heft" feel "$scenes/two_boxes.xml" --virtual --time 1.3 --at 0,0,0.45 --scale 2 --record "$work/a.mcap" \
  --device "emulated:touch:0 0 0 0.05; 0.3 0 0 -0.04; 3 0.03 0 -0.02" \
  --device "emulated:omega:0 0.02 0 0.05; 1 0.02 0 -0.04; 1.1 0.02 0 -0.04 1" >"$work/out"
"$heft" replay "$work/a.mcap" --evidence "$work/run.mcap" >"$work/out" || { cat "$work/out"; exit 1; }
"$check" "$work/run.mcap" >"$work/out" || { echo "hands:"; cat "$work/out"; exit 1; }
grep -q '^1300 steps: 1300 accepted' "$work/out"
if grep 'not checked.*dofs' "$work/out"; then exit 1; fi
[ -z "${HEFT_KEEP:-}" ] || cp "$work/run.mcap" "$HEFT_KEEP/hands.mcap"
accept "$work/all.xml" 0.3
"$check" --verbose "$work/run.mcap" | grep -q '^step 299 accepted' || { echo "--verbose prints no step 299"; exit 1; }
if [ -n "${HEFT_LONG:-}" ]; then
  for scene in stack boxes table roll slope two_boxes pinch chain cradle tumbler bounce wall cards pile heap pyramid rocking disk; do measure $scene 20; done
  for robot in walk jump squat sway; do measure $robot 60; done
fi

# code CODE ARGUMENT...: heft-check ends with this code.
code() {
  wanted=$1 found=0
  shift
  "$check" "$@" >"$work/out" 2>&1 || found=$?
  [ $found = "$wanted" ] || { echo "heft-check $*: exit code $found, not $wanted"; cat "$work/out"; exit 1; }
}
code 0 --help
code 2
code 2 "$work/none.mcap"
code 2 "$0"  # no evidence
for bytes in 0 8 20 3000 20000 $(($(wc -c <"$work/run.mcap") - 200)); do  # files that end early
  head -c $bytes "$work/run.mcap" >"$work/short.mcap"
  code 2 "$work/short.mcap"
done
# The run with changed bytes: NAME.mcap.
python3 - "$work/run.mcap" "$work" <<'END'
import struct, sys
data = open(sys.argv[1], 'rb').read()
model = data.index(struct.pack('<d', 4), data.index(b'/step'))  # version
nq, nv = (int(x) for x in struct.unpack_from('<2d', data, model + 24))
drives, acts = (int(x) for x in struct.unpack_from('<2d', data, model + 72))
step = {i: data.index(struct.pack('<3d', i, 0, 1), len(data) // 100) for i in (5, 299)}  # index, status, parts; behind the model
force = 88 + 8 * (nq + nv + acts + drives)
contact = force + 8 * (2 * nq + 7 * nv + acts)
def write(name, at, *numbers):
    text = numbers[0] if isinstance(numbers[0], bytes) else struct.pack('<%dd' % len(numbers), *numbers)
    open('%s/%s.mcap' % (sys.argv[2], name), 'wb').write(data[:at] + text + data[at + len(text):])
write('bad', step[299] + 88, 0.125)              # the first coordinate
write('pushed', step[5] + force + 8 * 49, 1.0)   # the base of a ball in flight
write('itself', step[299] + contact, 0.0, 0.0)   # a contact of a shape with itself
write('parts', step[299] + 16, 2.0)              # then only the ends are checked
write('nan', model + 8, float('nan'))
write('half', model + 24, 0.5)
write('first', data.index(b'/model'), b'/nodel')  # steps without a model
write('channel', data.index(b'/step') - 4, b'\xff\xff')  # the length of the topic
write('long', step[299] - 30, b'\x01')           # the length of the message
open(sys.argv[2] + '/cut.mcap', 'wb').write(data[:step[299] - 10])
END
for name in nan half first channel long cut; do code 2 "$work/$name.mcap"; done
code 0 "$work/parts.mcap"
for name in bad pushed itself; do code 1 "$work/$name.mcap"; done
[ -z "${HEFT_KEEP:-}" ] || cp "$work"/[b-z]*[a-z].mcap "$HEFT_KEEP"
echo "heft-check: $steps steps accepted"
