#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Papers: R22, R58.
# The contact law and the detector of examples/plugin, built in another folder against the installed
# Heft, and used by the installed command: they act as theory says, a recording repeats their bits and
# refuses other code, and what is wrong with a file is stated.
# usage: laws.sh <build dir> <cmake> <cc> laws-cmake|laws-pkgconfig
set -eu

build=$1 cmake=$2 cc=$3 way=$4
. "$(dirname "$0")/common.sh"
heft=$prefix/bin/heft
[ -x "$heft" ] || { echo "skipped: the command is not installed"; exit 77; }
out=$work/$way
rm -rf "$out"
cp -R "$root/examples/plugin" "$out"
cd "$out"
case $way in
  laws-cmake)
    logged log configuring "$cmake" -S . -B made -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix" \
      -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
    logged log building "$cmake" --build made
    cp made/*.so .
    ;;
  laws-pkgconfig)
    command -v pkg-config >/dev/null || { echo "skipped: pkg-config is not installed"; exit 77; }
    command -v make >/dev/null || { echo "skipped: make is not installed"; exit 77; }
    PKG_CONFIG_PATH=$(libdir "$prefix")/pkgconfig
    export PKG_CONFIG_PATH
    logged log building make CC="$cc"
    ;;
  *) fail "unknown way" ;;
esac

cat >ball.xml <<'XML'
<mujoco><option timestep="0.001"/><worldbody><geom type="plane" size="5 5 1"/>
<body pos="0 0 0.1"><freejoint/><geom type="sphere" size="0.1" mass="1"/></body></worldbody></mujoco>
XML
cat >bowl.xml <<'XML'
<mujoco><option timestep="0.001"/><worldbody><geom type="sphere" size="1" pos="0 0 1"/>
<body pos="0.0948416 0 0.05474605"><freejoint/><geom type="sphere" size="0.05" mass="1"/></body></worldbody></mujoco>
XML

# says <pattern> <command>...: the command fails and states why.
says() {
  pattern=$1
  shift
  if "$@" >said.txt 2>&1; then fail "accepted: $*"; fi
  grep -q -- "$pattern" said.txt || fail "no '$pattern' in: $(cat said.txt)"
}

# Hertz: at rest k d^1.5 = m g, so d = (9.81 / 1e5)^(2/3).
"$heft" run ball.xml --quiet --time 3 --contact-model ./hertz.so:stiffness=1e5 --json --record s.mcap --log ball.csv >a.json ||
  fail "hertz does not run"
grep -q '"contact_model": *"hertz"' a.json || fail "no hertz in: $(cat a.json)"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^q.*2$|[.]z$/ && !z) z = i }
  NR > 1 { last = $z } END { d = 0.1 - last; want = 0.00212687; exit !(d > 0.999 * want && d < 1.001 * want) }' ball.csv ||
  fail "the ball sinks in by another depth than Hertz states: $(tail -n 1 ball.csv)"

# A ball rolls to and fro in a bowl: T = 2 pi sqrt(7 (R - r) / (5 g)) = 2.313 s.
"$heft" run bowl.xml --quiet --time 10 --detector ./bowl.so --record b.mcap --log bowl.csv >b.txt || fail "$(cat b.txt)"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "time") t = i; if ($i ~ /^q.*0$|[.]x$/ && !x) x = i } }
  NR > 2 && old > 0 && $x <= 0 { at = $t; if (!count++) first = at } NR > 1 { old = $x }
  END { T = (at - first) / (count - 1); exit !(count >= 4 && T > 2.30 && T < 2.33) }' bowl.csv || fail "the ball does not roll in its bowl"
grep -q 'detector  *bowl' b.txt || fail "no detector in: $(cat b.txt)"

# The same bits again; other code and no code are refused.
"$heft" replay s.mcap --contact-model ./hertz.so >r.txt || fail "$(cat r.txt)"
grep -q "3000 steps, all with the same bits" r.txt || fail "$(cat r.txt)"
"$heft" replay b.mcap --detector ./bowl.so >r.txt || fail "$(cat r.txt)"
grep -q "10000 steps, all with the same bits" r.txt || fail "$(cat r.txt)"
says 'it lists "./hertz.so:stiffness=100000' "$heft" replay s.mcap
says "another contact law or detector" "$heft" replay s.mcap --contact-model ./bowl.so
sed 's/sqrt(depth)/1/' hertz.c >linear.c
"$cc" -O2 -fPIC -I"$prefix/include" -shared -o linear.so linear.c
says "the bits differ" "$heft" replay s.mcap --contact-model ./linear.so

# What is wrong with a file.
says "there is no plug-in file './none.so'" "$heft" run ball.xml --contact-model ./none.so
says "brings no contact law" "$heft" run ball.xml --contact-model ./bowl.so
says "brings no detector" "$heft" run ball.xml --detector ./hertz.so
says "cannot load the plug-in './hertz.c'" "$heft" run ball.xml --contact-model ./hertz.c
says "both plug-in hertz and plug-in hertz bring a contact law" "$heft" run ball.xml --contact-model ./hertz.so --plugin ./hertz.so
sed 's/HEFT_DEF_COOKIE(HeftPlugin)/HEFT_DEF_COOKIE(HeftPlugin) + 8/' hertz.c >old.c
"$cc" -O2 -fPIC -I"$prefix/include" -shared -o old.so old.c
says "compiled with headers of another version" "$heft" run ball.xml --contact-model ./old.so
echo 'int nothing;' >empty.c
"$cc" -fPIC -shared -o empty.so empty.c
says "exports no function heft_plugin" "$heft" run ball.xml --contact-model ./empty.so
sed 's/r\[0\] = island->time_step \* n/r[0] = NAN/' hertz.c >nan.c
"$cc" -O2 -fPIC -I"$prefix/include" -shared -o nan.so nan.c
"$heft" run ball.xml --quiet --contact-model ./nan.so >n.txt 2>&1 || :
grep -q "not finite: rolled back" n.txt || fail "$(cat n.txt)"
echo "$way: ok"
