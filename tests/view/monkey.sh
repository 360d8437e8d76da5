#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Random keys, clicks, drags and files in the window for some seconds, with a robot that acts, a plug-in that is
# loaded again and broken meanwhile, objects that come and go, and logs. The window may not crash, and may
# not stop drawing. The long form is `monkey.sh build/asan/bin/heft FOLDER 1800`.
# usage: monkey.sh <heft> <folder> [seconds] [seed]
set -u
heft=$1 out=$2 seconds=${3:-10} seed=${4:-1}
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/screen.sh"
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=0:${ASAN_OPTIONS:-} UBSAN_OPTIONS=print_stacktrace=1
i=0
for file in scenes/quadruped.xml models/plank.xml models/pyramid.xml models/hoap_like_robot.xml models/balls.xml; do
  [ -f "$root/$file" ] && cp "$root/$file" "$out/monkey-$((i++)).xml"
done
echo '<mujoco><worldbody><body>' >"$out/monkey-5.xml"   # broken
head -c 3000 /dev/urandom >"$out/monkey-6.xml"          # no model at all; monkey-7.xml does not exist
"$heft" run "$root/models/plank.xml" --time 1 --log "$out/monkey-8.mcap" --quiet >/dev/null 2>&1
head -c 2000 "$out/monkey-8.mcap" >"$out/monkey-9.mcap" 2>/dev/null  # cut off

# Plug-ins from the folder of the build, if there are any.
modules=$(cd "$(dirname "$heft")/.." && pwd)/plugin-modules
plugin=()
if [ -f "$modules/pulse_1.so" ]; then
  cp "$modules/pulse_1.so" "$out/pulse.so"
  plugin=(--plugin "$out/pulse.so")
fi
"$heft" view walk:steps=100 "${plugin[@]}" --quiet --size 640x480 --log "$log" --folder "$out" --text-scale 1 \
  --monkey "$seed" --seconds "$seconds" 2>"$out/stderr.txt" &
viewer=$!
for _ in $(seq 1200); do [ -s "$log" ] && break; kill -0 $viewer 2>/dev/null || break; sleep 0.1; done
[ -s "$log" ] || { wait $viewer; echo "skipped: no window could be opened here"; viewer=; exit 77; }
k=0
while kill -0 $viewer 2>/dev/null; do  # the plug-in changes, is broken, and is mended
  sleep 2
  [ ${#plugin[@]} -gt 0 ] || continue
  case $((k++ % 3)) in
    0) cp "$modules/pulse_2.so" "$out/pulse.so" 2>/dev/null ;;
    1) echo 'no shared object' >"$out/pulse.so" ;;
    2) cp "$modules/pulse_1.so" "$out/pulse.so" ;;
  esac
done
wait $viewer
code=$?
viewer=
[ $code -eq 0 ] && ! grep -qE 'AddressSanitizer|runtime error|heft: assertion' "$out/stderr.txt" ||
  { head -n 60 "$out/stderr.txt"; fail "seed $seed: the window ended with code $code"; }
echo "monkey: $seconds s with seed $seed: $(grep -c ' opened ' "$log") files opened, $(grep -c ' objects ' "$log") objects," \
  "$(grep -c ' change ' "$log") parameters, $(grep -c 'plug-in loaded again' "$log") reloads, $(grep -c ' session ' "$log") sessions," \
  "$(grep -c ' error ' "$log") errors shown"
