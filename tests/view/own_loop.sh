#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A program with its own loop and the window: it runs in real time, is pulled by the mouse, paused and stepped,
# ends when the window is closed, and says why where there is no screen.
# usage: own_loop.sh <program> <folder for pictures and log>
set -u
program=$1 out=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/screen.sh"
[ "$(wc -l <"$root/examples/window/own_loop.c")" -le 45 ] || { echo "FAILED: more than 45 lines"; exit 1; }

if DISPLAY='' WAYLAND_DISPLAY='' "$program" "$root/scenes/quadruped.xml" >"$out/none.txt" 2>&1; then
  echo "FAILED: a window without a screen"
  exit 1
fi
grep -q "no screen" "$out/none.txt" || { cat "$out/none.txt"; exit 1; }

# The program has no log: what it does is seen in the window.
"$program" "$root/scenes/quadruped.xml" &
viewer=$!
for _ in $(seq 400); do
  window=$(xdotool search --name Heft 2>/dev/null | head -n 1)
  [ -n "$window" ] && break
  sleep 0.1
done
[ -n "$window" ] || { echo "skipped: no window could be opened here"; exit 77; }
sleep 3
kill -0 $viewer || { echo "FAILED: the program ended"; exit 1; }
xdotool mousemove 400 300 mousedown 1 mousemove_relative --sync 60 -30
sleep 0.5
xdotool mouseup 1 key space
sleep 0.5
xdotool key space
sleep 0.5
command -v ffmpeg >/dev/null &&
  ffmpeg -loglevel error -y -f x11grab -video_size 800x600 -i "$DISPLAY" -frames:v 1 "$out/own_loop.png"
xdotool key ctrl+q
for _ in $(seq 50); do kill -0 $viewer 2>/dev/null || break; sleep 0.1; done
kill -0 $viewer 2>/dev/null && { echo "FAILED: the program goes on without its window"; exit 1; }
wait $viewer || { echo "FAILED: exit code $?"; exit 1; }
viewer=
echo "own loop: ok"
