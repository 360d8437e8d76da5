#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The command refuses a misspelt name, with the name that was probably meant or with those that exist.
# usage: names.sh <heft>
set -u

heft=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
bad=0

# refused <part of the message> <arguments...>
refused() {
  text=$1
  shift
  if "$heft" "$@" >"$work/out" 2>"$work/err"; then
    echo "NOT ok: heft $*: the name was taken"
    bad=1
  elif ! grep -qF -- "$text" "$work/err"; then
    echo "NOT ok: heft $*: the message lacks \"$text\":"
    cat "$work/err"
    bad=1
  else
    echo "ok: heft $*"
  fi
}

cat >"$work/keys.xml" <<'XML'
<mujoco>
  <worldbody>
    <camera name="front" pos="0 -2 1"/>
    <body name="cube" pos="0 0 1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
  <keyframe><key name="home" qpos="0 0 1 1 0 0 0"/><key name="thrown" qpos="0 0 2 1 0 0 0"/></keyframe>
</mujoco>
XML
sed '/<keyframe>/d' "$work/keys.xml" >"$work/plain.xml"

refused "'heft info --list' prints the models" run panda --time 0.01
refused "hrp2_lift_8, hrp2_lift_robot, hrp2_like" run hrp2 --time 0.01
refused "did you mean 'quadruped'?" run dog --time 0.01
refused "no case ran" bench motion --alone --models "$work" talos
"$heft" convert hrp2_like "$work/x.heft" >/dev/null || { echo "NOT ok: heft convert takes no name of a model"; bad=1; }
[ "$("$heft" help | grep -c '^  heft ')" = 5 ] && "$heft" help all | grep -q '^  sweep ' && "$heft" help hold | grep -q '^usage: heft hold' ||
  { echo "NOT ok: heft help, heft help all or heft help VERB"; bad=1; }
refused "did you mean 'home'?" run "$work/keys.xml" --time 0.01 --key hoem
refused "these exist: home, thrown" run "$work/keys.xml" --time 0.01 --key upside-down
refused "there are none" run "$work/plain.xml" --time 0.01 --key home
refused "did you mean 'thrown'?" compare "$work/keys.xml" --no-figure --time 0.01 --key throw
refused "did you mean 'cube'?" feel "$work/keys.xml" --virtual --time 0.01 --mode attach --body cub
refused "did you mean 'udp'?" feel "$work/keys.xml" --time 0.01 --device upd
refused "did you mean 'moreau'?" run "$work/keys.xml" --time 0.01 --integrator moreu
refused "penalty" run "$work/keys.xml" --time 0.01 --contact-model penalti
refused "did you mean 'walk'?" experiment wlak
refused "did you mean 'slope'?" validate slpe
refused "did you mean 'contact'?" bench contac
refused "did you mean 'pyramid'?" bench contact --case pyramd
refused "did you mean 'info'?" inof
refused "did you mean 'udp'?" emulate udpp
refused "did you mean '--time'?" run "$work/keys.xml" --tme 1
refused "did you mean '--short'?" info "$work/keys.xml" --shrt
refused "did you mean '--strict'?" check "$work/keys.xml" --stict
refused "did you mean '--effort'?" solve --efort 3 x.dat
refused "did you mean '--markdown'?" validate --makdown
refused "did you mean '--steps'?" bench contact --step 3
refused "did you mean '--model'?" replay --modle x x.mcap
refused "did you mean '--out'?" experiment walk --ot x
refused "did you mean 'micro_macro'?" experiment stand --contact-model micro_makro
refused "did you mean 'penalty'?" run x.xml --contact-model penaly
refused "did you mean '--body'?" feel "$work/keys.xml" --bdy x
refused "did you mean '--quiet'?" convert --quite a.xml b.xml
refused "the value of --time is missing or wrong" run "$work/keys.xml" --time
refused "did you mean 'humanoid'?" run humanod --time 0.01
refused "did you mean 'quadruped'?" info quadrupd
refused "did you mean 'walk'?" run wlak
refused "expected a file ending in .svg" compare "$work/keys.xml" --figure x.gif
refused "expected a file ending in .mcap" feel "$work/keys.xml" --virtual --record x.gif
refused "use .csv, .npy or .mcap" run "$work/keys.xml" --time 0.01 --log x.gif
refused "use .xml, .mjcf, .urdf, .heft, .fmu, .obj or .stl" convert "$work/keys.xml" x.gif
refused "heft run: error: " run "$work/keys.xml" --time none
mkdir -p "$work/mine" && cp "$work/keys.xml" "$work/mine/own_robot.xml"
HEFT_PATH=$work/none:$work/mine "$heft" run own_robot --time 0.01 >/dev/null || { echo "NOT ok: HEFT_PATH is not searched"; bad=1; }
HEFT_PATH=$work/mine "$heft" info --list | grep -q "^own_robot " || { echo "NOT ok: info --list lacks HEFT_PATH"; bad=1; }
(cd "$work" && "$heft" run scenes/slope.xml --time 0.01 >/dev/null && "$heft" check slope >/dev/null) ||
  { echo "NOT ok: installed scenes are not found"; bad=1; }
if "$heft" render --help 2>/dev/null | grep -q -- --camera; then
  refused "did you mean 'front'?" render "$work/keys.xml" --camera frnt -o "$work/x.png"
  refused "did you mean 'home'?" render "$work/keys.xml" --key hme -o "$work/x.png"
  refused "did you mean 'forces'?" render "$work/keys.xml" --show contacts,forcs -o "$work/x.png"
fi
"$heft" run "$work/keys.xml" --time 0.01 --key home >/dev/null || { echo "NOT ok: a right name is refused"; bad=1; }
exit "$bad"
