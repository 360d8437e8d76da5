#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the pictures and films of the manual and the site anew, with the present version. Look at each before you commit it.
# usage: gallery.sh <heft> <folder of public models> [--only PART,...] [folder for the pictures]
#   render    pictures and films by heft render (docs/manual/viewer.md, the first pages, shapes): some seconds each
#   figures   drawings of contact points, and a fit of parameters
#   window    the window, on a screen without a monitor (Xvfb, xdotool)
#   python    the examples in Python; films of learned motions take some minutes. PYTHONPATH must have the package
#   films     films with a sheet of each, into FOLDER/films (default: build/films, from where the site takes them); some minutes
# and, if they are named, parts that take long or depend on the speed of the machine:
#   sweep     10,000 runs that fall or stand
#   queue     the page of a sweep in a queue (nats-server, chromium)
#   timed     figures with times; on an idle machine only
# Pictures of the browser come from web/test/viewer.mjs, those of experiments from tools/experiment_page.py.
set -eu
usage() {
  sed -n '4,15s/^# \{0,1\}//p' "$0" >&2
  exit 2
}
[ $# -ge 2 ] || usage
heft=$(realpath "$1") public=$2
shift 2
only=render,figures,window,python,films
[ "${1:-}" != --only ] || { only=${2:?parts} && shift 2; }
for part in $(echo "$only" | tr , ' '); do
  case $part in render | figures | window | python | films | sweep | queue | timed) ;; *) echo "gallery: there is no part \"$part\"" >&2 && usage ;; esac
done
root=$(cd "$(dirname "$0")/.." && pwd)
[ -n "${1:-}" ] && films=$(realpath "$1")/films || films=$root/build/films
out=$(realpath "${1:-$root/docs/manual/pictures}")
robots=$public/mjcf
humanoid=$robots/mujoco/humanoid/humanoid.xml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
wanted() { case ",$only," in *,"$1",*) ;; *) return 1 ;; esac; }

# shot <name> <model> [options of heft render]
shot() {
  name=$1 model=$2
  shift 2
  [ -e "$model" ] || { echo "gallery: $name is left out: there is no $model" >&2; return 0; }
  "$heft" render "$model" --quiet --size 640x400 -o "$out/$name" "$@"
  echo "$name"
}

render() {
  "$heft" render --sheet "$out/tasks.png" "$root/models/tasks" --quiet --time 0.05 && echo tasks.png
  shot humanoid-standing.png "$humanoid" --hold 1 --time 1 --show contacts,forces,cones
  shot humanoid-falling.png "$humanoid" --time 0.85 --show forces,mass
  shot humanoid-joints.png "$humanoid" --key squat --show joints
  shot humanoid-names.png "$humanoid" --hold 1 --time 0.6 --show names,force-values
  shot pyramid.png "$root/models/pyramid.xml" --time 0.5 --show forces
  shot balls.png "$root/models/balls.xml" --time 1.5 --zoom 1.2
  shot pinch.png "$root/models/pinch.xml" --time 0.5 --show forces,cones --camera 25,12 --zoom 0.85
  shot hand.png "$robots/shadow_hand/scene_right.xml" --time 0.8 --zoom 1.4
  shot talos.png "$robots/pal_talos/scene_position.xml" --key walk_pose --time 0.2 --show forces
  shot g1.png "$robots/unitree_g1/scene.xml" --key stand
  shot cassie.png "$robots/agility_cassie/scene.xml" --zoom 1.2
  shot islands.png "$root/models/balls.xml" --time 0.3 --show islands
  shot two-frictions.png "$humanoid" --time 1.6 --compare 0.05
  shot two-models.png "$humanoid" --time 1.6 --compare-model penalty
  shot quadruped.png "$root/scenes/quadruped.xml" --size 1280x720 --time 1 --show forces,contacts --camera 75,18
  shot sponge.png "$root/examples/sponge.xml" --size 960x540 --time 0.25 --camera 250,20,0.9,0,0,0.08
  shot sole.png "$root/scenes/sole.xml" --size 960x540 --time 0.1 --show forces --camera 262,5,0.42,0.04,0,0.055
  shot humanoid-falling.mp4 "$humanoid" --time 2 --slow 2 --fps 25 --show forces
  shot sponge.mp4 "$root/examples/sponge.xml" --size 480x270 --fast --time 0.6 --slow 4 --fps 20 --camera 250,20,0.9,0,0,0.08
  shot balls.mp4 "$root/models/balls.xml" --size 480x300 --fast --time 2 --fps 20 --camera 40,25,2.2,0,0,0.2
  walk
  shapes
  uses
}

# The robot of the first pages, as a picture that moves.
walk() {
  "$heft" render walk --quiet --size 640x360 --from 1 --time 6.4 --fps 12 --show forces --camera 65,6,3,0.75,0,0.74 -o "$work/walk.mp4"
  ffmpeg -loglevel error -y -i "$work/walk.mp4" -c:v libwebp_anim -q:v 55 -loop 0 "$out/walk.webp"
  echo walk.webp
}

# Shapes with hollows, six on one sheet; the convex pieces of a cup.
shapes() {
  for scene in cup hook ring_chain mesh_cup gears bolt; do
    "$heft" render "$root/scenes/$scene.xml" --quiet --size 400x330 --time 1.5 --zoom 1.2 -o "$work/$scene.png"
  done
  (cd "$work" && ffmpeg -loglevel error -y -i cup.png -i hook.png -i ring_chain.png -i mesh_cup.png -i gears.png -i bolt.png -filter_complex \
    'xstack=inputs=6:layout=0_0|404_0|808_0|0_334|404_334|808_334:fill=white' -frames:v 1 -update 1 "$out/hollow.png")
  echo hollow.png
  cp "$root/scenes/cup.obj" "$work/"
  cat >"$work/pieces.xml" <<XML
<mujoco><asset><mesh name="cup" file="cup.obj" inertia="exact"/></asset><worldbody><geom type="plane" size="1 1 1"/>
<body><geom type="mesh" mesh="cup" density="2000"/></body></worldbody></mujoco>
XML
  "$heft" render "$work/pieces.xml" --quiet --decompose 0.002 --show collision --size 640x480 --zoom 1.4 -o "$out/pieces-cup.png"
  echo pieces-cup.png
  for error in 0.02 0.006 0.002; do
    "$heft" render "$work/pieces.xml" --quiet --decompose $error --show collision --size 400x330 --camera 40,55,0.22,0,0,0.035 \
      -o "$work/pieces-$error.png"
  done
  (cd "$work" && ffmpeg -loglevel error -y -i pieces-0.02.png -i pieces-0.006.png -i pieces-0.002.png -filter_complex \
    'xstack=inputs=3:layout=0_0|404_0|808_0:fill=white' -frames:v 1 -update 1 "$out/pieces-errors.png")
  echo pieces-errors.png
}

# Fingertips, soles and a palm that are soft, side by side.
uses() {
  "$heft" render "$root/scenes/fingers.xml" --quiet --size 400x330 --time 0.5 --camera 255,8,0.36,0,0,0.07 -o "$work/fingers.png"
  "$heft" render "$root/scenes/soles.xml" --quiet --size 400x330 --time 0.5 --camera 60,4,0.5,0.29,0.2,0.06 -o "$work/soles.png"
  "$heft" render "$root/scenes/skin.xml" --quiet --size 400x330 --time 1 --camera 250,20,0.4,0.03,0,0.22 -o "$work/skin.png"
  (cd "$work" && ffmpeg -loglevel error -y -i fingers.png -i soles.png -i skin.png -filter_complex \
    'xstack=inputs=3:layout=0_0|404_0|808_0:fill=white' -frames:v 1 -update 1 "$out/uses.png")
  echo uses.png
}

figures() {
  "${CC:-cc}" -O1 -I "$root/include" -I "$root" "$root/docs/manual/pictures/manifolds.c" "$(dirname "$heft")/../lib/libheft.a" -lpng -lm \
    -o "$work/manifolds"
  "$work/manifolds" "$out" && echo "manifold_*.png"
  # The page is the source of the model and of the commands.
  sed -n '/^## Parameters from logs/,$p' "$root/docs/manual/logs.md" | sed -n '/^```sh$/,/^```$/{/^```/d;p}' | sed '/--plot ankle.svg/q' >"$work/identify.sh"
  (cd "$work" && PATH="$(dirname "$heft"):$PATH" sh -eu identify.sh >/dev/null)
  cp "$work/ankle.svg" "$out/identify.svg" && echo identify.svg
}

python() {
  /usr/bin/env python3 -c 'import heft' 2>/dev/null || { echo "gallery: python is left out: PYTHONPATH has no package heft" >&2; return 0; }
  examples=$root/examples/python
  python3 "$examples/grasp_map.py" --out "$out/python-grasp-map.png" >/dev/null && echo python-grasp-map.png
  python3 "$examples/trot.py" --film "$out/python-trot.mp4" >/dev/null && strip python-trot 5 2.4 0.12 iw*0.6:ih*0.75
  python3 "$examples/learn.py" --generations 0 --film "$out/python-hop.mp4" >/dev/null && strip python-hop 7 2 0.08 iw*0.45:ih*0.9
}

# film <name> <model or act> [options of heft render]
film() {
  name=$1 model=$2
  shift 2
  "$heft" render "$model" --quiet --fast --size 640x360 --fps 20 "$@" -o "$films/$name.mp4"
  sheet "$name"
}
# sheet <name>: six pictures of a film in a row, to be looked at, and the number of its pictures
sheet() {
  frames=$(ffprobe -v error -count_packets -select_streams v -show_entries stream=nb_read_packets -of csv=p=0 "$films/$1.mp4")
  ffmpeg -loglevel error -y -i "$films/$1.mp4" -vf "select='not(mod(n,$(((frames + 5) / 6))))',scale=320:-2,tile=6x1" -fps_mode vfr \
    -frames:v 1 -update 1 "$films/$1.png"
  echo "films/$1.mp4 $frames"
}

# What a robot simulator is for, one film each. They are not part of the repository.
films() {
  mkdir -p "$films"
  "${CC:-cc}" -O2 -shared -fPIC -I "$root/include" "$root/examples/plugin/trot.c" -o "$work/trot.so"
  film walking walk --from 1 --time 5 --show forces --camera 65,6,3.2,0.75,0,0.74
  film falling "$root/scenes/humanoid.xml" --time 2.5 --show forces
  film grasping table --from 0.5 --time 5 --show forces
  film lifting lift --from 1 --time 6
  film heap "$root/scenes/pile.xml" --time 1.5 --slow 2
  film sole "$root/scenes/sole.xml" --time 0.5 --slow 6 --show forces --camera 262,5,0.42,0.04,0,0.055
  film fingers "$root/scenes/fingers.xml" --time 2
  film soles "$root/scenes/soles.xml" --time 2 --plugin "$work/trot.so" --show forces --camera 60,8,1.6,0,0,0.3
  film skin "$root/scenes/skin.xml" --time 1.5 --camera 250,20,0.4,0.03,0,0.22
  film pair pair --time 7
  film friction "$root/scenes/humanoid.xml" --time 2.5 --compare 0.05
  "$heft" experiment welcome --hands 1 --out "$films" && sheet welcome
  film penalty "$root/scenes/humanoid.xml" --time 2.5 --compare-model penalty
  code=0
  "$root/tools/gallery_window.sh" "$heft" "$films" --film || code=$?
  [ $code != 0 ] || sheet haptics
  [ $code = 0 ] || [ $code = 77 ] || { echo "gallery: the film of the window failed" >&2; exit 1; }
  if [ -e "$root/build/element/heft-compare.js" ]; then
    (cd "$root/web" && node test/compare.mjs --film "$films") >/dev/null && sheet engines
  else
    echo "gallery: the film of two engines is left out: run 'npm run gallery' in web first" >&2
  fi
}

# strip <name> <pictures> <first time> <time between> <width:height of the middle part>: a row of pictures from a film
strip() {
  ffmpeg -loglevel error -y -ss "$3" -i "$out/$1.mp4" -vf "fps=1/$4,crop=$5,scale=-2:200,tile=${2}x1" -frames:v 1 -update 1 "$out/$1.png"
  echo "$1.mp4, $1.png"
}

sweep() {
  "$heft" sweep run "$root/examples/sweep/push.toml" --out "$work/push.results" >/dev/null
  "$heft" sweep show "$work/push.results" --maps fell -o "$out/sweep-push.png" >/dev/null && echo sweep-push.png
}

# The page of a sweep in a queue, after one of its workers was killed.
queue() {
  for program in nats-server chromium; do
    command -v $program >/dev/null || { echo "gallery: queue is left out: there is no $program" >&2; return 0; }
  done
  url=nats://127.0.0.1:4522
  nats-server -a 127.0.0.1 -p 4522 -js -sd "$work/nats" >/dev/null 2>&1 &
  server=$!
  mkdir "$work/queue" && cp "$root/examples/sweep/stander.xml" "$work/queue/"
  sed 's/^runs = .*/runs = 2_000/' "$root/examples/sweep/push.toml" >"$work/queue/push.toml"
  "$heft" work --nats $url --workers 2 --stay --name vm --quiet &
  worker=$!
  cd "$work/queue"
  "$heft" sweep serve push.toml --nats $url >/dev/null 2>&1 &
  offer=$!
  stored 5
  kill -9 "$(pgrep -P $worker | head -n 1)"
  stored 30
  "$heft" sweep status --nats $url --out push.results --html "$work/page.html" >/dev/null
  kill $offer $worker $server
  cd "$root"
  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=0.8 --window-size=940,1805 --screenshot="$work/page.png" "file://$work/page.html" \
    2>/dev/null
  ffmpeg -loglevel error -y -i "$work/page.png" -vf 'split[a][b];[a]palettegen=max_colors=64[p];[b][p]paletteuse=dither=none' "$out/sweep-page.png"
  echo sweep-page.png
}

# stored <chunks>: waits until so many chunks are stored
stored() {
  for _ in $(seq 600); do
    done=$("$heft" sweep status --nats $url --json 2>/dev/null | sed -n 's/"running".*//;s/.*"done": *\([0-9]*\).*/\1/p' | head -n 1)
    [ "${done:-0}" -lt "$1" ] || return 0
    sleep 1
  done
  echo "gallery: the queue computes nothing" >&2
  exit 1
}

timed() {
  (cd "$root" && "$heft" compare --time 1 --figure "$out/compare-humanoid.svg" scenes/humanoid_8.xml) >/dev/null && echo compare-humanoid.svg
  "$heft" bench deadline --out "$out/deadline.svg" >/dev/null && echo deadline.svg
}

for part in render figures window python films sweep queue timed; do
  wanted $part || continue
  if [ $part = window ]; then
    code=0
    "$root/tools/gallery_window.sh" "$heft" "$out" || code=$?
    [ $code = 0 ] || [ $code = 77 ] || { echo "gallery: the pictures of the window failed; run tools/gallery_window.sh $heft $out" >&2; exit 1; }
  else
    $part
  fi
done
"$heft" --version | sed 's/^/gallery: made by /'
