#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `heft feel greet --window`: an emulated hand taps a simulated person while the window shows it. The session is
# recorded from the start, rewinding ends the recording, the simulation runs on, and the recording repeats
# the same bits.
# usage: feel.sh <heft> <folder for pictures and log>
set -u
heft=$1 out=$2
. "$(dirname "$0")/screen.sh"
"$heft" feel greet --window --record "$out/session.mcap" --quiet --size 800x600 --log "$log" --folder "$out" \
  --text-scale 1 --dark &
viewer=$!
await_window
until_log ' users 1 feels [1-9]' 90
key p
until_log 'screenshot'
key shift+Left
until_log ' session .* steps [1-9]'
until_log ' state .* running 0 '
before=$(value time)
key space
until_log ' state .* running 1 '
settle
less "$before" "$(value time)" || fail "it does not run on"
xdotool key ctrl+q
wait $viewer || fail "the viewer ended with an error"
viewer=
"$heft" replay "$out/session.mcap" >"$out/replay.txt" || fail "replay: $(cat "$out/replay.txt")"
grep -q 'all with the same bits' "$out/replay.txt" || fail "replay: $(cat "$out/replay.txt")"
echo "feel in a window: $(head -n 1 "$out/replay.txt")"
