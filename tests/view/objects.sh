#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Objects are added and removed, and parameters changed, while a robot acts in the window. The session is recorded
# and repeats the same bits.
# usage: objects.sh <heft> <folder for pictures and log>
set -u
heft=$1 out=$2
. "$(dirname "$0")/screen.sh"
"$heft" view stand --record "$out/session.mcap" --quiet --size 800x600 --log "$log" --folder "$out" \
  --text-scale 1 --dark &
viewer=$!
await_window
key w
until_log ' button gravity '
press box
until_log ' objects box box 1 bodies '
press ball
until_log ' objects ball ball 2 bodies '
key b
until_log ' objects box box 3 bodies '
settle
settle
key p
until_log 'screenshot'
less 0.5 "$(value com)" || fail "the robot fell: the plug-in did not go on"
read -r x y < <(sed -n 's/.* button gravity //p' "$log" | tail -n 1)
mark_log
xdotool mousemove $((x - 20)) "$y" mousedown 1 mousemove_relative --sync 15 0 mouseup 1
until_log ' change gravity 0 '
read -r x y < <(sed -n 's/.* button friction //p' "$log" | tail -n 1)
mark_log
xdotool mousemove $((x - 20)) "$y" mousedown 1 mousemove_relative --sync 10 0 mouseup 1
until_log ' change friction 0 '
key Delete  # the last object is selected
until_log ' objects remove '
settle
key m
until_log ' session .* steps [1-9]'
xdotool key ctrl+q
wait $viewer || fail "the viewer ended with an error"
viewer=
"$heft" replay "$out/session.mcap" >"$out/replay.txt" 2>&1 || fail "replay: $(cat "$out/replay.txt")"
grep -q 'all with the same bits' "$out/replay.txt" || fail "replay: $(cat "$out/replay.txt")"
grep -q '^6 changes' "$out/replay.txt" || fail "replay: $(cat "$out/replay.txt")"
echo "objects: $(head -n 1 "$out/replay.txt")"
