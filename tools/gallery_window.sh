#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes the pictures of the window in docs/manual: the start page, a robot that walks, two logs, a hand that presses. A part of
# tools/gallery.sh; needs Xvfb and xdotool. With --film: only haptics.mp4, a film of the hand.
# usage: gallery_window.sh <heft> <folder for the pictures> [--film]
set -u
heft=$(realpath "$1") pictures=$(realpath "$2")
root=$(cd "$(dirname "$0")/.." && pwd)
out=$(mktemp -d)
screen=1280x720
. "$root/tests/view/screen.sh"
trap 'kill $viewer $server 2>/dev/null; wait 2>/dev/null; rm -rf "$out"' EXIT

open() {
  rm -f "$log" "$out"/heft-*.png
  lines=0
  "$heft" "$@" --quiet --log "$log" --folder "$out" --text-scale 1 --dark &
  viewer=$!
}
settle_picture() { ! grep -q ' state ' "$log" || settle; }
# take <name>: a picture of the window as it is, then the end
take() {
  xdotool mousemove 640 600  # away from what has a tooltip
  settle_picture
  mark_log
  key p
  until_log 'screenshot '
  for _ in $(seq 100); do [ -s "$out/heft-1.png" ] && break; sleep 0.1; done
  cp "$out/heft-1.png" "$pictures/$1" || fail "$1: there is no picture"
  xdotool key ctrl+q
  wait $viewer || fail "$1: the window ended with an error"
  viewer=
  echo "$1"
}
# pause_at <pattern of the time>: stops the world, so that the picture does not depend on the speed of the machine by more than it must
pause_at() {
  until_log " state time $1" 300
  key space
  until_log ' state .* running 0 '
  settle
}

# reach <size>: an emulated hand taps a person
reach() {
  open feel greet --window --show contacts,forces --size "$1"
  await_window
}
if [ "${3:-}" = --film ]; then
  reach 640x400
  until_log ' state time [1-9]' 120
  key v
  until_log ' state time (9|[1-9][0-9])' 300
  key v
  until_log 'film '
  xdotool key ctrl+q
  wait $viewer || fail "the window ended with an error"
  viewer=
  mv "$out"/heft-*.mp4 "$pictures/haptics.mp4" && echo haptics.mp4
  exit
fi

open view --size 1280x720
for _ in $(seq 600); do grep -qs 'gallery complete' "$log" && break; sleep 0.5; done
lines=0
until_log 'gallery complete'
take window-start.png

open view walk --size 1280x720 --show contacts,forces
await_window
pause_at '[5-8]\.'
take window-walk.png

humanoid=$root/scenes/humanoid.xml
"$heft" run "$humanoid" --quiet --step 0.001 --time 4 --log "$out/a.mcap" >/dev/null || fail "no log"
"$heft" run "$humanoid" --quiet --step 0.001 --time 4 --contact-model penalty --log "$out/b.mcap" >/dev/null || fail "no log"
open view "$out/a.mcap" "$out/b.mcap" --size 1280x720 --paused --show contacts,forces
await_window
lines=0
until_log ' plots complete' 300
xdotool mousemove 640 698
settle
xdotool mousedown 1 mousemove 690 698
until_log ' seek [1-9]'
xdotool mouseup 1
mark_log
until_log ' state time [1-9]'
settle
take log.png

reach 1280x720
until_log ' users 1 feels [1-9]' 120
key space
take reach.png
