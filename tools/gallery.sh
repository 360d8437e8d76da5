#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the pictures and films of docs/manual/gallery.md.
# usage: gallery.sh <heft> <folder of public models> [folder for the pictures]
set -eu
[ $# -ge 2 ] || { echo "usage: gallery.sh <heft> <folder of public models> [folder for the pictures]" >&2; exit 1; }
heft=$1 public=$2
root=$(cd "$(dirname "$0")/.." && pwd)
out=${3:-$root/docs/manual/pictures}
robots=$public/mjcf
humanoid=$robots/mujoco/humanoid/humanoid.xml

# shot <name> <model> [options of heft render]
shot() {
  name=$1 model=$2
  shift 2
  [ -e "$model" ] || { echo "gallery: $name is left out: there is no $model" >&2; return 0; }
  "$heft" render "$model" --quiet --size 640x400 -o "$out/$name" "$@"
  echo "$name"
}

shot humanoid-standing.png "$humanoid" --hold 1 --time 1 --show contacts,forces,cones
shot humanoid-falling.png "$humanoid" --time 0.85 --show forces,mass
shot humanoid-joints.png "$humanoid" --key squat --show joints
shot humanoid-names.png "$humanoid" --hold 1 --time 0.6 --show names,force-values
shot pyramid.png "$root/models/pyramid.xml" --time 0.5 --show forces
shot balls.png "$root/models/balls.xml" --time 1.5 --zoom 1.2
shot pinch.png "$root/models/pinch.xml" --time 0.5 --show forces,cones --camera 25,12 --zoom 0.85
shot hand.png "$robots/shadow_hand/scene_right.xml" --zoom 1.1
shot talos.png "$robots/pal_talos/scene_position.xml" --key walk_pose --time 0.2 --show forces
shot g1.png "$robots/unitree_g1/scene.xml" --key stand
shot cassie.png "$robots/agility_cassie/scene.xml" --zoom 1.2
shot islands.png "$root/models/balls.xml" --time 0.3 --show islands
shot two-frictions.png "$humanoid" --time 1.6 --compare 0.05
shot two-models.png "$humanoid" --time 1.6 --compare-model penalty
shot humanoid-falling.mp4 "$humanoid" --time 2 --slow 2 --fps 25 --show forces
shot balls.mp4 "$root/models/balls.xml" --size 480x300 --fast --time 2 --fps 20 --camera 40,25,2.2,0,0,0.2
