#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every panel is on a screen of 1024 x 700, with no item beyond an edge that no scroll bar reaches, in both layouts and with
# all tools open; a window that was larger in the last run is made to fit; options of the last run are forgotten.
# usage: fits.sh <heft> <folder for pictures and log>
set -u
heft=$1 out=$2 screen=1024x700
. "$(dirname "$0")/screen.sh"
model=$(dirname "$0")/puppet.xml

# fits <what>: nothing is outside in the layout that is shown now
fits() {
  settle
  local last
  for _ in $(seq 40); do  # a panel has its width one picture after its text, and pictures take long on a busy machine
    last=$(sed -n 's/.* outside //p' "$log" | tail -n 1)
    [ "${last:-nothing}" = nothing ] && break
    sleep 0.25
  done
  [ "${last:-nothing}" = nothing ] || fail "$1: $last"
  echo "- $1"
}
open() {
  rm -f "$log"
  lines=0
  "$heft" view "$@" --quiet --log "$log" --folder "$out" --text-scale 1 &
  viewer=$!
  await_window
}
close() {
  xdotool key ctrl+q
  wait $viewer || fail "the viewer ended with an error"
  viewer=
}

mkdir -p "$out/data/heft"
printf 'width 1600\nheight 1000\nshow 1023\n' >"$out/data/heft/view.txt"
open "$model" --show cones --paused
read -r width height < <(xdotool getwindowgeometry "$(xdotool search --onlyvisible --name Heft | head -n 1)" | sed -n 's/.*Geometry: \([0-9]*\)x\([0-9]*\).*/\1 \2/p')
[ "$width" -le 1024 ] && [ "$height" -le 700 ] || fail "the window has $width x $height points"
echo "- a window of 1600 x 1000 opens with $width x $height"
fits 'simple layout'
key Tab
until_log 'layout experts'
fits 'all panels'
key s
fits 'settings'
key w
key j
key e
fits 'all tools'
key shift+Left
key space
fits 'running'
key question
fits 'keys'
key Escape
key r
key space
until_log ' state .* running 0 '
for delay in 80 30 150 10; do
  read -r x y < <(place torso)
  xdotool mousemove "$x" "$y" click --repeat 2 --delay $delay 1
  sleep 0.5
  grep -q 'double click body [1-9]' "$log" && break
done
until_log 'double click body [1-9]'
fits 'a body'
close
grep -q 'show' "$out/data/heft/view.txt" && fail 'marks of this run are stored for the next'
grep -q '^width 1600' "$out/data/heft/view.txt" || fail 'the size that the user chose was forgotten'

open walk
fits 'a robot that acts'
key Tab
fits 'a robot that acts, all panels'
close
