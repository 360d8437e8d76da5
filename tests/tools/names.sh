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
if "$heft" render --help 2>/dev/null | grep -q -- --camera; then
  refused "did you mean 'front'?" render "$work/keys.xml" --camera frnt -o "$work/x.png"
  refused "did you mean 'home'?" render "$work/keys.xml" --key hme -o "$work/x.png"
  refused "did you mean 'forces'?" render "$work/keys.xml" --show contacts,forcs -o "$work/x.png"
fi
"$heft" run "$work/keys.xml" --time 0.01 --key home >/dev/null || { echo "NOT ok: a right name is refused"; bad=1; }
exit "$bad"
