#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A plug-in in the window: the quadruped trots, is rewound and trots again to the same bits; its code is
# changed and built while it runs, and the robot goes on with the new code within a second; broken code is
# told, and the old code goes on.
# usage: plugin.sh <heft> <folder for pictures and log>
set -u
heft=$1 out=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/screen.sh"

build() { "${CC:-cc}" -O2 -shared -fPIC -I"$root/include" -o "$out/trot.so" "$out/trot.c" 2>"$out/cc.txt"; }
cp "$root/examples/plugin/trot.c" "$out" && build || { cat "$out/cc.txt"; exit 1; }
"$heft" view "$root/scenes/quadruped.xml" --quiet --size 1000x700 --log "$log" --folder "$out" --text-scale 1 \
  --dark --plugin "$out/trot.so:frequency=1.5" &
viewer=$!
await_window

echo "- it trots"
until_log ' state time [1-9]'
less 0.4 "$(value com)" || fail "it lies on the ground: $(value com)"

echo "- rewound and run on: the same bits"
key Left
until_log ' state .* running 0 '
key space
until_log ' state .* same [1-9]' 20
[ "$(value branched)" = 0 ] || fail "the way back led elsewhere"
key p
sleep 1

echo "- changed and built while it runs"
sed -i 's/t->bend \* lift/0.2 * t->bend * lift/' "$out/trot.c"
build
mark_log
begun=$(date +%s%N)
until_log 'plug-in loaded again' 10
took=$((($(date +%s%N) - begun) / 1000000))
echo "  loaded again after $took ms"
[ "$took" -lt 1000 ] || fail "it took $took ms"
mark_log
until_log ' state .* running 1 '
[ "$(value step)" -gt 200 ] || fail "it started anew"

echo "- broken code is told, and the old code goes on"
echo "no shared object" >"$out/trot.so"
mark_log
until_log 'trouble cannot load the plug-in' 10
mark_log
until_log ' state .* running 1 '
key p
sleep 1
build
mark_log
until_log 'plug-in loaded again' 10
xdotool key ctrl+q
wait $viewer
viewer=
echo "plugin: ok"
