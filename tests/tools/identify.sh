#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# heft identify: a motion from MCAP and from CSV, pulls, a calibration; wrong input says what to do.
# usage: identify.sh <heft> <folder of scenes>
set -eu
heft=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
bad=0
complain() { echo "NOT ok: $*"; bad=1; }
# refused <part of the message> <arguments of identify>...
refused() {
  wanted=$1
  shift
  if "$heft" identify "$@" >out 2>err; then complain "accepted: $*"; fi
  grep -qF -- "$wanted" err || complain "'$*' says: $(cat err)"
}

cat >ankle.xml <<END
<mujoco><option timestep="0.002"/><compiler angle="radian"/><worldbody>
<body><joint name="ankle" axis="0 1 0" ref="0.05" springref="0" stiffness="3000" damping="60"/>
<geom type="box" pos="0 0 0.8" size="0.15 0.2 0.3" mass="55"/></body></worldbody>
<sensor><jointpos name="angle" joint="ankle" noise="2e-4"/></sensor></mujoco>
END
sed 's/3000/2300/; s/"60"/"30"/' ankle.xml >guess.xml
"$heft" run --quiet --time 1 --every 5 --log ankle.mcap ankle.xml >/dev/null
"$heft" identify --fit stiffness:ankle --fit damping:ankle --model guess.xml --plot ankle.svg ankle.mcap >out
awk '$1 == "stiffness:ankle" { if ($3 <= 3000 && 3000 <= $5 && $5 - $3 < 60) good = 1 } END { exit !good }' out ||
  complain "the stiffness of an MCAP log: $(cat out)"
grep -q "simulated after the fit" ankle.svg || complain "the figure lacks a curve"

# The same as a measured table: time and the sensor alone.
"$heft" identify --json --fit stiffness:ankle --model guess.xml ankle.mcap >out.json
grep -q '"name":"stiffness:ankle","unit":"N m/rad","excited":true' out.json || complain "JSON: $(cat out.json)"
{ echo "time,angle"; awk 'BEGIN { for (i = 0; i <= 100; ++i) printf "%.3f,%.9f\n", i * 0.01, 0.05 }'; } >still.csv
"$heft" identify --fit friction --model guess.xml still.csv >out 2>err || complain "a table: $(cat err)"
grep -q "not excited" out || complain "friction without contact: $(cat out)"
grep -q "starts at rest" err || complain "no warning about the start: $(cat err)"

printf 'load,pull\n20,9.5\n40,18.1\n60,26.9\n80,36.3\n100,45.2\n' >pulls.csv
"$heft" identify --pulls load,pull pulls.csv | grep -q "0.452365 *0.447275 to 0.457454" || complain "pulls"

# A ball without friction: it leaves with 0.6 of its speed, under any law.
awk 'BEGIN { print "n,t,x0,z0,w0,x1,z1,w1"
  for (i = 0; i < 20; ++i) printf "0,0.02,%g,%g,0,%g,%g,0\n", i, -1 - i / 10, i, 0.6 * (1 + i / 10) }' >balls.csv
"$heft" identify --impacts n,t,x0,z0,w0,x1,z1,w1 balls.csv >out
awk '/^  restitution/ && $3 > 0.5999 && $3 < 0.6001 { ++n } /^  friction/ && $3 < 1e-4 { ++n } END { exit n != 2 }' out ||
  complain "impacts: $(cat out)"

# A sensor of two axes: raw = 2 f0 + 1, raw = f1 / 2 - 3, so G = 1/2 and 2, d = -1 and 3.
awk 'BEGIN { print "f0,f1,r0,r1"
  for (i = 0; i < 12; ++i) { a = i % 4; b = i % 3; print a "," b "," 2 * a + 1 "," b / 2 - 3 } }' >bench.csv
"$heft" identify --wrench f0,f1 --reading r0,r1 bench.csv >out
awk '$1 == "G[0][0]" && $2 == 0.5 || $1 == "G[1][1]" && $2 == 2 || $1 == "d[1]" && $3 == 3 { ++n } END { exit n != 3 }' out ||
  complain "a calibration: $(cat out)"

refused "did you mean 'stiffness'" --fit stifness:ankle --model guess.xml ankle.mcap
refused "did you mean 'ankle'" --fit stiffness:ankl --model guess.xml ankle.mcap
refused "did you mean 'pull'" --pulls load,pul pulls.csv
refused "expected one of --fit" ankle.mcap
refused "give one with --model" --fit stiffness:ankle still.csv
sed 's/angle/angel/' still.csv >other.csv
refused "no column is a sensor" --fit stiffness:ankle --model guess.xml other.csv
refused "no column 'time'" --fit stiffness:ankle --model guess.xml bench.csv
refused "independent directions" --wrench f0,f0 --reading r0,r1 bench.csv
refused "eight columns" --impacts n,t balls.csv
refused "belong together" --wrench f0 bench.csv
refused "absent.csv" --pulls load,pull absent.csv
head -c 3000 ankle.mcap >cut.mcap
"$heft" identify --fit stiffness:ankle cut.mcap >out 2>err && complain "a cut log was accepted"
grep -q "heft identify: error: cut.mcap" err || complain "a cut log says: $(cat err)"
printf 'time,angle\n0,0.05\n0.01,wrong\n' >wrong.csv
refused "wrong.csv:3:6" --fit stiffness:ankle --model guess.xml wrong.csv
[ $bad -eq 0 ] && echo "identify: ok"
exit $bad
