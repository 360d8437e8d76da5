#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Plays a log in the window as a person would: it opens, plays, pauses, goes to any time and shows the contact
# forces of that time; two logs are compared; damaged logs are told. Judges by the viewer's log. With a third
# argument, that many seconds are logged at 1 kHz (the figures of the manual: 60).
# usage: log.sh <heft> <folder for pictures and log> [seconds]
set -u
heft=$1 out=$2 seconds=${3:-3}
root=$(cd "$(dirname "$0")/../.." && pwd)
screen=1280x720
. "$(dirname "$0")/screen.sh"

run() { "$heft" run "$root/scenes/humanoid.xml" --quiet --step 0.001 "$@" >/dev/null || exit 1; }
run --time "$seconds" --log "$out/a.mcap"
# Shorter and coarser than the first; as long in the long form.
if [ "$seconds" -gt 3 ]; then
  run --time "$seconds" --contact-model penalty --log "$out/b.mcap"
else
  run --time 2 --every 2 --log "$out/b.mcap"
fi

open() {
  rm -f "$log"
  lines=0
  "$heft" view "$@" --size 1280x720 --log "$log" --folder "$out" --text-scale 1 &
  viewer=$!
  await_window
}
close() {
  xdotool key ctrl+q
  wait $viewer
  viewer=
}

echo "- a log of $seconds s at 1 kHz, $(wc -c <"$out/a.mcap") bytes, opens and plays"
open "$out/a.mcap" --dark
first_picture() {
  first=$(sed -n 's/.*first picture after \([0-9.]*\) s/\1/p' "$log")
  echo "  the first picture stood after $first s"
  less "$first" 20 || fail "that is too long"
}
first_picture
mark_log
until_log ' state time (0\.[1-9]|[1-9])'

echo "- paused, restarted, stepped"
key space
until_log ' state .* running 0 '
key r
until_log ' state time 0\.0000 step 0 '
key shift+Right
until_log ' state time 0\.0100 step 10 '
key Right
until_log ' state time 0\.0110 step 11 '
key Left
until_log ' state time 0\.0000 step 0 '

echo "- scrubbed by the slider: contacts stay"
# Time of the processor that the viewer has used [ms]: on a busy machine the clock says little.
used() { awk -v hz="$(getconf CLK_TCK)" '{ print int(1000 * ($14 + $15) / hz) }' "/proc/$viewer/stat"; }
# The slider is at the bottom, from the left edge to the right one.
xdotool mousemove 20 698
lines=0
until_log ' plots complete' $((60 + 10 * seconds))
settle
before=$(grep -c ' seek ' "$log")
begun=$(date +%s%N) worked=$(used)
xdotool mousedown 1
for i in $(seq 1 60); do xdotool mousemove $((20 + 20 * i)) 698; sleep 0.03; done
took=$((($(date +%s%N) - begun) / 1000000)) worked=$(($(used) - worked))
pictures=$(($(grep -c ' seek ' "$log") - before))
xdotool mousemove 1275 698
until_log " seek $seconds\.0"
xdotool mouseup 1
until_log " state time $seconds\.0.* running 0 .* contacts [1-9]"
echo "  $pictures pictures of different times in $took ms: $((pictures * 1000 / took)) a second;" \
  "$((worked / (pictures + 1))) ms of the processor each"
[ $pictures -ge 5 ] || fail "only $pictures pictures"
key p
until_log ' screenshot '

echo "- what it cannot do is told"
mark_log
xdotool key h
until_log 'trouble this is a recorded run'
close

echo "- two logs"
open "$out/a.mcap" "$out/b.mcap" --paused --light
first_picture
xdotool mousemove 640 698
settle
xdotool mousedown 1 mousemove 660 698
until_log ' seek [1-9]'
xdotool mouseup 1
mark_log
until_log ' state time [1-9]'
lines=0
until_log ' plots complete' $((60 + 10 * seconds))
mark_log
press beside
until_log ' beside 1'
key p
until_log ' screenshot '
close

echo "- a log that was interrupted plays as far as it goes"
head -c $(($(wc -c <"$out/b.mcap") * 3 / 4)) "$out/b.mcap" >"$out/cut.mcap"
"$heft" render "$out/cut.mcap" --at 0.5 --fast --size 64x48 -o "$out/cut.png" || fail "it is not read"

echo "- damaged and foreign logs are told"
told() { "$heft" view "${@:2}" --seconds 5 2>&1 | grep -q "$1" || fail "$("$heft" view "${@:2}" --seconds 1 2>&1)"; }
echo "no log" >"$out/bad.mcap"
told "bad.mcap: error: this is not an MCAP file" "$out/bad.mcap"
told "nowhere.mcap: error: No such file" "$out/nowhere.mcap"
"$heft" run "$root/scenes/two_boxes.xml" --quiet --time 0.1 --log "$out/c.mcap" >/dev/null
told "the same robot" "$out/a.mcap" "$out/c.mcap"
told "two files are possible if both are logs" "$out/a.mcap" "$root/scenes/two_boxes.xml"
echo "- what the window costs a loop is measured"
"$heft" bench window --seconds 0.3 --rounds 1 >"$out/bench.txt" || fail "$(cat "$out/bench.txt")"
grep -q '^step and sync, window open  *[0-9.]' "$out/bench.txt" || fail "$(cat "$out/bench.txt")"
echo "log: ok"
