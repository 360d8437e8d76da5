#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The start page: pictures of all that comes with Heft; a click opens a robot that acts, the button
# Home leads back, and a scene has no plug-in of the robot before it.
# usage: start.sh <heft> <folder for pictures and log>
set -u
heft=$1 out=$2
. "$(dirname "$0")/screen.sh"

"$heft" view --quiet --size 800x600 --log "$log" --folder "$out" --text-scale 1 &
viewer=$!
for _ in $(seq 300); do [ -s "$log" ] && break; kill -0 $viewer 2>/dev/null || break; sleep 0.1; done
[ -s "$log" ] || { wait $viewer; echo "skipped: no window could be opened here"; viewer=; exit 77; }
until_log 'gallery complete'
xdotool key p
until_log 'screenshot '
mv "$out/heft-1.png" "$out/start.png"
read -r x y < <(sed -n "s/.* button squat //p" "$log" | tail -n 1)
xdotool mousemove "$x" "$y"
until_log 'preview squat'
echo "- the picture under the mouse moves"
press squat
until_log 'chosen squat'
until_log ' plugins 1 '
until_log ' state time [1-9]'
echo "- a click opens a robot that acts"
press home
until_log 'start page'
mark_log
xdotool mousemove 500 400 click --repeat 60 --delay 20 5  # the wheel: down to the last scene
sleep 0.5
xdotool key p
until_log 'screenshot '
mv "$out/heft-1.png" "$out/start-scenes.png"
xdotool key --delay 60 Escape
read -r x y < <(sed -n 's/.* button stand //p' "$log" | tail -n 1)
mark_log
xdotool mousemove "$x" 450 mousedown 1
sleep 0.3
xdotool mouseup 1
until_log 'chosen '
until_log ' plugins 0 '
echo "- a scene stands alone"
xdotool key ctrl+q
wait $viewer || fail "the viewer ended with an error"
viewer=
echo "start: ok"
