#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Opens the experiments in the window: each acts, its robot is pulled by the mouse, rewound by 2 s, and runs on.
# Pictures of each are kept to be looked at. Without names: all of `heft experiment --list`. An experiment
# without a motion says so in one sentence.
# usage: acts.sh <heft> <folder for pictures and log> [name...]
set -u
heft=$1 out=$2
shift 2
. "$(dirname "$0")/screen.sh"
[ $# -gt 0 ] || mapfile -t names < <("$heft" experiment --list | sed -nE 's/^ *([a-z]+) .*/\1/p')
[ $# -eq 0 ] || names=("$@")
[ "${#names[@]}" -gt 0 ] || { echo "FAILED: there are no experiments"; exit 1; }

for name in "${names[@]}"; do
  rm -f "$log" "$out"/heft-*.png
  if [ "$name" = delassus ]; then
    "$heft" view delassus 2>"$out/said" && fail "delassus: a window without a motion"
    grep -q 'has no motion to watch' "$out/said" || fail "delassus: $(cat "$out/said")"
    echo "- delassus: $(cut -d: -f2- "$out/said")"
    continue
  fi
  body=chest high=0.3 spec=$name
  case $name in
    together) body=plank high=0.05 ;;
    avatar) high=0.05 ;;
    drop | lambda | friction) body=pelvis high=0.1 ;;
    vertices) body=pelvis high=0.03 ;;  # it lands on its heels, and tips over
  esac
  [ "$name" = toes ] && spec=toes:lean=0.1  # else it falls before it can be pulled
  "$heft" view "$spec" --quiet --size 800x600 --log "$log" --folder "$out" --text-scale 1 --dark \
    --show contacts,forces &
  viewer=$!
  lines=0
  await_window
  until_log ' state time [3-9]'
  less $high "$(value com)" || fail "$name: it lies on the ground"
  read -r x y < <(place $body)
  xdotool mousemove "$x" "$y" mousedown 1 mousemove_relative --sync 40 -10
  mark_log
  until_log ' grab [1-9]' 20
  key p
  sleep 0.5
  xdotool mouseup 1
  before=$(value time)
  key shift+Left
  until_log ' state .* running 0 '
  less "$(value time)" "$before" || fail "$name: it was not rewound"
  key space
  until_log ' state .* running 1 '
  settle
  key p
  sleep 0.7
  [ -f "$out/heft-2.png" ] || fail "$name: no picture"
  mv "$out/heft-1.png" "$out/$name-pulled.png"
  mv "$out/heft-2.png" "$out/$name-again.png"
  xdotool key ctrl+q
  wait $viewer || fail "$name: the viewer ended with an error"
  viewer=
  echo "- $name: acts, is pulled, rewound from $before s, and goes on"
done
echo "acts: ok"
