#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Papers: R59, U6.
# `heft generate`: the compiled code of several robots gives the bits of the general code, with and
# without optimisation; fused operations and -ffast-math are kept out; errors say what to do.
# usage: generate.sh HEFT SCENES
set -eu
command -v "${CC:-cc}" >/dev/null || { echo "generate: no C compiler"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
fail() { echo "generate: $1"; cat "$work/out"; exit 1; }
root=$(dirname "$2")
shared=${HEFT_SHARED:-$root/../shared}/models

same() { # MODEL FLAGS
  "$1" bench generated "$2" --batches 1 --states 6 --flags "$3" >"$work/out" 2>&1 || fail "$2 differs"
  grep -q "6 states, 0 numbers differ" "$work/out" || fail "$2 says nothing"
}
same "$1" "$root/models/hrp2_like.xml" "-O0"
# Fixed base, ball, slide after a hinge, coordinates with an offset, weight that is compensated.
cat >"$work/joints.xml" <<END
<mujoco><worldbody><body pos="0.1 0.2 0.3" quat="0.9 0.1 0.2 0.3"><joint axis="1 2 3" ref="0.3" pos="0 0.1 0"/>
<joint type="slide" axis="0 1 1"/><geom type="box" size="0.1 0.2 0.3"/><body pos="0 0 0.5"><joint type="ball" pos="0.1 0 0"/>
<geom type="capsule" size="0.1 0.2" pos="0.1 0.2 0"/><body gravcomp="0.7" pos="0.3 0 0"><joint axis="0 1 0" armature="0.2"/>
<geom type="ellipsoid" size="0.1 0.2 0.3" pos="0.2 0 0"/></body></body></body></worldbody></mujoco>
END
same "$1" "$work/joints.xml" "-O2 -DHEFT_GENERATED_CLONES"
cat >"$work/planar.urdf" <<END
<robot name="p"><link name="a"/><link name="b"><inertial><mass value="2"/><origin xyz="0.1 0.2 0"/>
<inertia ixx="1" iyy="2" izz="2.5" ixy="0.1" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="planar"><parent link="a"/><child link="b"/><axis xyz="0 1 1"/></joint></robot>
END
same "$1" "$work/planar.urdf" "-O0"
for robot in mjcf/agility_cassie/cassie.xml mjcf/unitree_g1/g1.xml; do
  [ -f "$shared/$robot" ] || { echo "generate: no $shared/$robot: skipped"; continue; }
  same "$1" "$shared/$robot" "-O0"
done
if grep -q fma /proc/cpuinfo 2>/dev/null; then
  same "$1" "$work/joints.xml" "-O1 -mfma -std=gnu17"
fi

"$1" generate "$work/joints.xml" -o "$work/arm-1.c" >"$work/out" || fail "it failed"
grep -q "arm_1_kinematics" "$work/arm-1.h" || fail "the prefix is another"
"${CC:-cc}" -std=c17 -Wall -Wextra -Werror -O0 -c "$work/arm-1.c" -o "$work/arm.o" 2>"$work/out" || fail "warnings"
if "${CC:-cc}" -ffast-math -c "$work/arm-1.c" -o "$work/arm.o" >"$work/out" 2>&1; then fail "-ffast-math is taken"; fi
if "$1" generate "$work/joints.xml" >"$work/out" 2>&1; then fail "no -o is taken"; fi
grep -q -e "-o FILE.c is missing" "$work/out" || fail "it does not say that -o is missing"
if "$1" generate "$work/joints.xml" -o "$work/none/a.c" >"$work/out" 2>&1; then fail "a folder is missing"; fi
grep -q "a.c: error: the file cannot be written" "$work/out" || fail "it does not name the file"
if "$1" generate "$2/moved.xml" -o "$work/moved.c" >"$work/out" 2>&1; then fail "moved bodies are taken"; fi
grep -q "is moved by the program" "$work/out" || fail "it does not say what is moved"
[ ! -e "$work/moved.c" ] || fail "half a file is left"
echo "as it should be"
