#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Uses the window as a person would: opens a model, turns the camera, pulls a hand, pauses, rewinds,
# runs on, switches what is shown, saves a picture, reaches in with a device, records a session, opens
# a broken file. Judges by the viewer's log, not by pixels; the pictures are kept to be looked at.
# Steps have no deadline: a rewound run repeats the bits of steps that none has cut (late.sh).
# usage: window.sh <heft> <folder for pictures and log> [model]
set -u
heft=$1 out=$2
model=${3:-$(dirname "$0")/puppet.xml}
. "$(dirname "$0")/screen.sh"

"$heft" view "$model" --quiet --size 800x600 --log "$log" --folder "$out" --paused --text-scale 1 \
  --light --show contacts,forces --no-deadline &
viewer=$!
await_window
first=$(sed -n 's/.*first picture after \([0-9.]*\) s/\1/p' "$log")
echo "$first" >"$out/first_picture"
echo "- the first picture stood after $first s$(less "$first" 1 || echo ', more than the second it should take')"

echo "- paused at the start"
[ "$(value running)" = 0 ] || fail "it runs though --paused was asked for"
start=$(value hash)

echo "- the camera turns"
before=$(place head)
xdotool mousemove 420 500 mousedown 3 mousemove_relative --sync 90 -20 mouseup 3
settle
[ "$(place head)" != "$before" ] || [ "$(place hand_left)" != "$before" ] || fail "nothing turned"
[ "$(value hash)" = "$start" ] || fail "turning the camera changed the state"
key c

echo "- single step"
key Right
until_log ' state .* step 1 '

echo "- holding the joints, running"
key h
until_log 'settings .* hold 1'
key space
until_log ' state .* running 1 '
settle

echo "- a hand is pulled"
read -r x y < <(place hand_left)
[ -n "${y:-}" ] || fail "the hand is not in the picture"
mark_log
xdotool mousemove "$x" "$y" mousedown 1
for _ in 1 2 3 4 5 6 7 8; do xdotool mousemove_relative -- 8 -12; sleep 0.15; done
until_log ' state .* grab [0-9.e+]*[1-9]'
key p
until_log ' screenshot '
mark_log
xdotool mouseup 1
until_log 'released'
# More than two seconds without the hand, so that the rewound moment lies behind its letting go.
settle
after=$(value time)
for _ in $(seq 300); do
  settle
  less "$(awk -v t="$after" 'BEGIN { print t + 2.3 }')" "$(value time)" && break
done

echo "- pause, rewind 2 s, run on: the same bits"
key space
until_log ' state .* running 0 '
settle
end=$(value hash) stop=$(value step) time=$(value time)
same=$(value same)
key shift+Left
settle
awk -v a="$time" -v b="$(value time)" 'BEGIN { d = a - b; exit !(d > 1.9 && d < 2.1) }' ||
  fail "it went from $time s to $(value time) s, expected 2 s back"
[ "$(value hash)" != "$end" ] || fail "the state of two seconds ago is that of now"
back=$(value step)
xdotool key space
for _ in $(seq 600); do
  settle
  [ "$(value step)" -ge "$stop" ] && break
done
[ "$(value step)" -gt "$back" ] || fail "it did not run on"
key space
until_log ' state .* running 0 '
# The hand let go before the rewound moment, so that every moment kept before must come again.
[ "$(value branched)" = 0 ] || fail "running on gave another future"
less "$((${same:-0} + 50))" "$(value same)" || fail "too few moments were met again: $(value same)"
# The very step at which it was paused has the hash that it had then.
key shift+Left
settle
steps=$((stop - $(value step)))
[ $steps -gt 0 ] || fail "it is not behind step $stop"
for _ in $(seq $((steps / 10))); do xdotool key --delay 5 shift+Right; done
for _ in $(seq $((steps % 10))); do xdotool key --delay 5 Right; done
for _ in $(seq 200); do [ "$(value step)" = "$stop" ] && break; settle; done
[ "$(value step) $(value hash)" = "$stop $end" ] || fail "step $stop has another hash: $(value hash), not $end"
echo "  $end at step $stop, twice; moments met again: $(value same)"

echo "- what is shown"
key 3
until_log ' show [0-9]'
key 5
until_log ' show [0-9]'
key 4
key p
until_log ' screenshot '

echo "- click and double click select"
key r  # the pull may have thrown it over, to where a panel lies
settle
read -r x y < <(place torso)
mark_log
# A slow machine may see the two clicks too far apart: a person would click again.
for delay in 80 30 150 10 80 30; do
  xdotool mousemove "$x" "$y" click --repeat 2 --delay $delay 1
  for _ in $(seq 30); do fresh | grep -q 'double click body' && break 2; sleep 0.1; done
done
until_log 'double click body [1-9]'
until_log 'selected [1-9]'
settle
key p
until_log ' screenshot '

echo "- back to the start"
key r
settle
[ "$(value step)" = 0 ] || fail "reset did not go to step 0"

echo "- help, dark, resize"
key question
key d
settle
key p
until_log ' screenshot '
key Escape
window=$(xdotool search --onlyvisible --name Heft | head -n 1)
[ -n "$window" ] && xdotool windowsize "$window" 640 480
settle

echo "- it closes"
xdotool key ctrl+q
for _ in $(seq 100); do kill -0 $viewer 2>/dev/null || break; sleep 0.1; done
kill -0 $viewer 2>/dev/null && fail "it did not close"
wait $viewer || fail "it ended with an error"
viewer=
grep -q '^width 640' "$out/data/heft/view.txt" || fail "the size of the window was not remembered"

echo "- a device is chosen in the window, a session recorded and lived again"
: >"$log"
"$heft" view "$model" --quiet --size 800x600 --log "$log" --folder "$out" --text-scale 1 --light \
  --contact-model penalty --show contacts,forces &
viewer=$!
lines=0
until_log 'first picture'
key e
until_log 'button connect'
press connect
until_log ' devices 1'
until_log ' state .* users 1 '
key m
until_log 'no session: .*settings'  # another contact model than the file's
key ctrl+q
for _ in $(seq 100); do kill -0 $viewer 2>/dev/null || break; sleep 0.1; done
: >"$log"
lines=0
"$heft" view "$model" --quiet --size 800x600 --log "$log" --folder "$out" --text-scale 1 --light \
  --device 'emulated:ideal:0 0 0 0; 1 0 0 -0.1; 2 0 0 0.05; 3 0 0 -0.1' --show contacts,forces &
viewer=$!
until_log ' state .* users 1 '
key m
until_log ' state .* recording 1'
settle
settle
key p
until_log ' screenshot '
key m
until_log ' session .* hash '
read -r file hash < <(sed -n 's/.* session \(.*\) steps .* hash \(.*\)/\1 \2/p' "$log" | tail -n 1)
"$heft" replay "$file" --quiet >"$out/replay" || fail "the session does not replay: $(cat "$out/replay")"
grep -q "same bits.* $hash" "$out/replay" || fail "the replay ends elsewhere than $hash: $(cat "$out/replay")"
cat "$out/replay"
key shift+Left
until_log ' state .* running 0 '
key space
until_log ' state .* running 1 '
key e
key e
until_log 'button disconnect'
press disconnect
until_log ' devices 0'
until_log ' state .* users 0 '
xdotool key ctrl+q
for _ in $(seq 100); do kill -0 $viewer 2>/dev/null || break; sleep 0.1; done
kill -0 $viewer 2>/dev/null && fail "it did not close"
wait $viewer || fail "it ended with an error"
viewer=

echo "- a file that is broken is told about"
printf '<mujoco><worldbody><geom type="nothing"/></worldbody></mujoco>' >"$out/broken.xml"
"$heft" view "$out/broken.xml" 2>"$out/message" && fail "a broken file was opened"
grep -q 'broken.xml:1' "$out/message" || fail "the message does not say where"
echo "- without a screen"
DISPLAY=:9999 SDL_VIDEODRIVER=x11 "$heft" view "$model" --quiet 2>"$out/message" && fail "a window without a screen"
grep -q 'no screen' "$out/message" || fail "no word about the missing screen: $(cat "$out/message")"
echo "pictures: $(ls "$out"/*.png | wc -l) in $out"
