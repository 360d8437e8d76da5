#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Twelve screens of the window on one contact sheet for each size of the screen: look at them before and after a change of
# the window. Prints of each screen the pictures a second, and how many the processor time of a picture allows, which a busy machine does
# not change. Needs Xvfb, xdotool and ffmpeg; some minutes.
# usage: sheet.sh <heft> <folder for the sheets> [sizes, default "1024x700 1280x800 1920x1080"]
set -u
heft=$(realpath "$1") sheets=$(mkdir -p "$2" && realpath "$2") sizes=${3:-1024x700 1280x800 1920x1080}
here=$(realpath "$(dirname "$0")")
root=$(realpath "$here/../..")

# A motor that is much too strong for its joint.
broken() {
  cat <<'XML'
<mujoco><worldbody><geom type="plane" size="2 2 1"/><body name="tower" pos="0 0 1"><joint name="shoulder" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 0.6 0 0" size="0.05"/><body name="arm" pos="0.6 0 0"><joint name="elbow" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.04"/></body></body></worldbody>
<actuator><general name="drive" joint="elbow" gaintype="fixed" gainprm="1" biastype="affine" biasprm="0 0 1e9"/></actuator>
<keyframe><key name="home" qpos="0.2 0.3" qvel="0 0.1"/></keyframe></mujoco>
XML
}

# open <options of heft view>
open() {
  rm -f "$log" "$out"/heft-*.png
  lines=0
  "$heft" "$@" --quiet --log "$log" --folder "$out" --text-scale 1 --size "$screen" &
  viewer=$!
}
# drawn: pictures so far, and the processor time of the threads that draw [ms]
drawn() {
  settle 2>/dev/null
  cat /proc/$viewer/task/$viewer/stat $(grep -l llvmpipe /proc/$viewer/task/*/comm | sed 's/comm$/stat/') |
    awk -v pictures="$(value pictures)" -v tick="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); sum += $12 + $13 } END { print pictures, 1000 * sum / tick }'
}
# take <name>: a picture of the screen, then the end of the window
take() {
  local began ended
  began=$(drawn)
  sleep 3
  ended=$(drawn)
  mv "$(shot)" "$sheets/$screen/$1.png"
  echo "$began $ended" | awk -v what="$screen $1 frames $(value fps) detail $(value detail)" '{ n = $3 - $1
    print what, (n > 5 ? sprintf("processor %.1f ms a picture: %.0f a second", ($4 - $2) / n, 1000 * n / ($4 - $2 + 1)) : "few pictures") }'
  xdotool key ctrl+q
  for _ in $(seq 100); do kill -0 $viewer 2>/dev/null || break; sleep 0.1; done
  kill -9 $viewer 2>/dev/null
  wait $viewer 2>/dev/null
  viewer=
}
# The screen, not the picture that the window saves: what is outside of it is lost.
shot() {
  ffmpeg -loglevel error -y -f x11grab -video_size "$screen" -i "$DISPLAY" -frames:v 1 "$out/screen.png" && echo "$out/screen.png"
}
# scene <name> <seconds> <options of heft view>: a screen that is opened and looked at after some seconds
scene() {
  local name=$1 wait=$2
  shift 2
  open view "$@"
  await_window
  sleep "$wait"
  case $name in
    pull)
      read -r x y < <(place chest)
      xdotool mousemove "$x" "$y" mousedown 1
      for _ in 1 2 3 4; do xdotool mousemove_relative -- -10 -3; sleep 0.1; done
      take "$name"
      return
      ;;
    experts) for k in s w j; do key $k; done ;;
    body)
      read -r x y < <(place torso)
      xdotool mousemove "$x" "$y" click --repeat 2 --delay 80 1
      ;;
    help) key question ;;
  esac
  xdotool mousemove 640 640
  take "$name"
}

one_size() {
  out=$(mktemp -d)
  mkdir -p "$sheets/$screen"
  . "$here/screen.sh"
  open view
  for _ in $(seq 600); do grep -qs 'gallery complete' "$log" && break; sleep 0.5; done
  sleep 1
  xdotool mousemove 640 640
  mv "$(shot)" "$sheets/$screen/start.png"
  kill $viewer
  wait $viewer 2>/dev/null
  broken >"$out/broken.xml"
  scene walk 4 walk
  scene humanoid 0.5 "$root/scenes/humanoid.xml"
  scene pull 1 stand
  scene cones 2 stand --show contacts,forces,cones
  scene pressure 1 "$root/scenes/sole.xml" --show pressure
  scene heap 3 "$root/scenes/heap.xml"
  scene experts 1 walk
  scene body 1 "$here/puppet.xml" --paused
  scene broken 2 "$out/broken.xml"
  scene help 1 "$root/scenes/quadruped.xml"
  "$heft" run "$root/scenes/humanoid.xml" --quiet --step 0.002 --time 3 --log "$out/a.mcap" >/dev/null
  "$heft" run "$root/scenes/humanoid.xml" --quiet --step 0.002 --time 3 --contact-model penalty --log "$out/b.mcap" >/dev/null
  scene logs 3 "$out/a.mcap" "$out/b.mcap"
  rm -rf "$out"
  local list=''
  for name in start walk humanoid pull cones pressure heap experts body broken help logs; do list="$list -i $name.png"; done
  (cd "$sheets/$screen" && ffmpeg -loglevel error -y $list -filter_complex \
    "$(for i in 0 1 2 3 4 5 6 7 8 9 10 11; do printf '[%d]scale=640:-2[s%d];' $i $i; done)$(printf '[s%d]' 0 1 2 3 4 5 6 7 8 9 10 11)xstack=inputs=12:fill=white:layout=$(layout)" \
    -frames:v 1 -update 1 "../sheet-$screen.png")
  echo "$sheets/sheet-$screen.png"
}
# Four columns, three rows.
layout() {
  local text='' x y high=$((640 * ${screen#*x} / ${screen%x*} / 2 * 2 + 6))
  for y in 0 1 2; do for x in 0 1 2 3; do text="$text|$((646 * x))_$((high * y))"; done; done
  echo "${text#|}"
}
for screen in $sizes; do (one_size) || exit; done
