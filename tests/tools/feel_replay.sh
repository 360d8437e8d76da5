#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `heft feel` with emulated people, in virtual and in real time; `heft replay` of what was recorded,
# whole and damaged; `heft devices`.
# usage: feel_replay.sh HEFT SCENES
# shellcheck disable=SC2086  # options in a word
set -eu
heft=$1
scene=$2/two_boxes.xml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
fail() {
  echo "feel_replay: $1"
  exit 1
}
first="emulated:touch:0 0 0 0.05; 0.3 0 0 -0.04; 3 0.03 0 -0.02; 5 -0.03 0 0.02"
second="emulated:omega:0 0.02 0 0.05; 1 0.02 0 -0.04; 1.1 0.02 0 -0.04 1; 3 0.02 0 0.05 1"
place="--at 0,0,0.45 --scale 2"

# The same twice, and the same again from the recording.
"$heft" feel "$scene" --virtual --time 3 $place --device "$first" --device "$second" \
  --record "$work/a.mcap" >"$work/a.txt"
"$heft" feel "$scene" --virtual --time 3 $place --device "$first" --device "$second" >"$work/b.txt"
same() { grep -v "time of a step" "$1" >"$1.same"; }
same "$work/a.txt"
same "$work/b.txt"
cmp "$work/a.txt.same" "$work/b.txt.same" || fail "two runs in virtual time differ"
if grep -q "largest force 0.000" "$work/a.txt"; then fail "nothing was felt"; fi
"$heft" replay "$work/a.mcap" >"$work/r.txt" || fail "the replay differs"
hash=$(sed -n 's/.*state hash *//p' "$work/a.txt")
grep -q "$hash" "$work/r.txt" || fail "the replay ends elsewhere"
grep -q "3000 steps, all with the same bits" "$work/r.txt" || fail "steps are missing"

# Meetings: what the robot does is lived again, too.
"$heft" feel greet --virtual --time 4.2 --record "$work/m.mcap" >"$work/m.txt"
grep -q "taps  *1$" "$work/m.txt" && grep -q "shakes  *1$" "$work/m.txt" || fail "the avatar did not notice: $(cat "$work/m.txt")"
"$heft" replay "$work/m.mcap" >"$work/r.txt" || fail "the replay of an interactive scene differs"
grep -q "4200 steps, all with the same bits" "$work/r.txt" || fail "steps of an interactive scene are missing"
"$heft" run walk:steps=3 --quiet --time 0.2 --record "$work/w.mcap" >/dev/null
"$heft" replay "$work/w.mcap" >"$work/r.txt" || fail "a walk with options of its own differs"
"$heft" feel together --virtual --time 3 >"$work/m.txt"
[ "$(grep -c 'largest force [5-9]' "$work/m.txt")" = 2 ] || fail "two users should carry the plank"

# A recorded person moves an avatar, and is repeated.
awk 'BEGIN { printf "time"
  n = split("head left_hand right_hand", part)
  for (i = 1; i <= n; ++i) for (k = 0; k < 3; ++k) for (x = 0; x < 3; ++x)
    printf ",%s%s.%s", part[i], k ? (k > 1 ? ":front" : ":bone") : "", substr("xyz", x + 1, 1)
  for (row = 0; row < 130; ++row) { printf "\n%g,0.1,0,1.6,0.1,0,1.7,0.2,0,1.6", row / 50
    for (y = 0.2; y > -0.3; y -= 0.4) { z = 1.2 + 0.1 * sin(row / 10)
      printf ",0.3,%g,%g,0.4,%g,%g,0.3,%g,%g", y, z, y, z, y, z + 0.1 } } }' >"$work/person.csv"
"$heft" feel mirror --virtual --person "$work/person.csv" --record "$work/p.mcap" >"$work/m.txt"
"$heft" replay "$work/p.mcap" >"$work/r.txt" || fail "the replay of a person differs"
grep -q "$(sed -n 's/.*state hash *//p' "$work/m.txt")" "$work/r.txt" || fail "the replay of a person ends elsewhere"
grep -q 'worst *0.0[01][0-9]' "$work/m.txt" || fail "the hands are not where the person has them: $(cat "$work/m.txt")"
sed 's/left_hand/lost/g' "$work/person.csv" >"$work/lost.csv"
if "$heft" feel mirror --virtual --person "$work/lost.csv" >/dev/null 2>"$work/m.txt"; then fail "a person without a hand was taken"; fi
grep -q "no column is a marker of the left hand" "$work/m.txt" || fail "$(cat "$work/m.txt")"

# Real time, with deadlines.
"$heft" feel "$scene" --quiet --time 0.5 $place --device "$first" --record "$work/c.mcap" >"$work/c.txt"
"$heft" replay "$work/c.mcap" >/dev/null || fail "the replay of a session in real time differs"

# How a robot was loaded belongs to the recording; options that are given hold instead of it.
cat >"$work/arm.urdf" <<'END'
<robot name="arm"><link name="base"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/>
</inertial><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link><link name="tip"><inertial><mass value="0.2"/>
<inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry><sphere radius="0.15"/></geometry>
</collision></link><joint name="turn" type="revolute"><parent link="base"/><child link="tip"/><origin xyz="0 0 0.2"/>
<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="5" velocity="3"/></joint></robot>
END
"$heft" run "$work/arm.urdf" --quiet --time 0.3 --floating --floor --height 0.02 --servo 40,1.5 --exclude base,tip \
  --record "$work/u.mcap" >"$work/u.txt"
"$heft" replay "$work/u.mcap" --quiet >"$work/r.txt" 2>&1 || fail "the replay of a URDF differs: $(cat "$work/r.txt")"
grep -q "all with the same bits.*$(sed -n 's/.*state hash *//p' "$work/u.txt")" "$work/r.txt" || fail "$(cat "$work/r.txt")"
if "$heft" replay "$work/u.mcap" --quiet --floor >"$work/r.txt" 2>&1; then fail "the options of the user do not hold"; fi

# Damaged, cut and foreign files are refused.
size=$(wc -c <"$work/c.mcap")
head -c $((size / 2)) "$work/c.mcap" >"$work/cut.mcap"
if "$heft" replay "$work/cut.mcap" >/dev/null 2>&1; then fail "half a file was taken"; fi
cp "$work/c.mcap" "$work/bad.mcap"
printf '!!!!' | dd of="$work/bad.mcap" bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
if "$heft" replay "$work/bad.mcap" >/dev/null 2>&1; then fail "damaged bits were taken"; fi
if "$heft" replay "$scene" >/dev/null 2>&1; then fail "a model was taken for a session"; fi
if "$heft" feel "$scene" --device nonsense --time 1 >/dev/null 2>&1; then fail "no such driver"; fi

# libspnav keeps some bytes where no daemon answers
ASAN_OPTIONS=detect_leaks=0 "$heft" devices >"$work/d.txt"
grep -q "^emulated" "$work/d.txt" || fail "the emulated device is not listed"
"$heft" devices emulated:touch --time 0.3 --push 1 | grep -q "pushed" || fail "no push"
echo "feel, replay and devices are well"
