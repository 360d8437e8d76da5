#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# heft predict: blocks that slide on unknown friction. Probabilities are right, a wrong ensemble is seen and mended.
# With HEFT_SHORT the ensembles are too small to score; only the calls are made.
# usage: predict.sh <heft>
set -eu
heft=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
complain() { echo "NOT ok: $*"; exit 1; }

cat >block.xml <<END
<mujoco><option timestep="0.005"/><worldbody><geom type="plane" size="9 9 1"/><body name="block" pos="0 0 .05">
<joint name="x" type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><geom name="block" type="box" size=".1 .1 .05"
mass="1"/></body></worldbody></mujoco>
END
repeat=40
[ -z "${HEFT_SHORT:-}" ] || repeat=4
# Truth: the speed was measured with an error of 0.02 m/s, friction is normal, 0.3 with a deviation of 0.03.
awk 'function normal(  s, i) { s = -6; for (i = 0; i < 12; ++i) s += rand(); return s }
  BEGIN { srand(4); print "speed" >"list.csv"; print "far,place_final" >"seen.csv"
  for (i = 0; i < 160; ++i) { v = 0.6 + 0.4 * rand(); x = (v + 0.02 * normal()) ^ 2 / 2 / 9.81 / (0.3 + 0.03 * normal())
    print v >"list.csv"; print (x > 0.105) "," x >"seen.csv" } }'
plan() {  # deviation of friction
  cat >plan.toml <<END
model = "block.xml"
duration = 0.4
repeat = $repeat
list = "list.csv"
method = "random"
[[vary]]
name = "speed"
what = "v"
of = "x"
column = "speed"
[[vary]]
name = "error"
what = "v_offset"
of = "x"
mean = 0
deviation = 0.02
shape = "normal"
[[vary]]
name = "friction"
what = "friction"
of = "*"
mean = 0.3
deviation = $1
min = 0.1
max = 0.5
shape = "normal"
[[measure]]
name = "place"
what = "body_x"
of = "block"
keep = ["final"]
[[event]]
name = "far"
when = "above"
what = "body_x"
of = "block"
value = 0.105
END
  rm -rf results
  "$heft" sweep run --quiet --out results plan.toml >/dev/null || complain "the sweep"
}
number() { sed -n "s/.*$1[^0-9]*\([0-9.]*\).*/\1/p" out; }

scored() { [ "$repeat" -lt 40 ] || awk "$@"; }
plan 0.03
"$heft" predict results | grep -q "^  0 *far .* of $repeat runs" || complain "forecasts: $("$heft" predict results)"
"$heft" predict --json --trust 1,0.5,2 results | grep -q '"name":"far","probability":' || complain "JSON"
"$heft" predict --observed seen.csv --plot reliability.svg results >out
grep -q 'two deviations' reliability.svg || complain "the diagram"
scored '/log loss/ { good = $7 < 0.45 && $8 != "" } /intervals of 90/ { held = $2 > 83 && $2 < 97 } END { exit !(good && held) }' out ||
  complain "scores: $(cat out)"
scored '/--trust/ { split($NF, t, ","); exit !(t[2] > 0.6 && t[2] < 1.8 && t[3] > 0.7 && t[3] < 1.4) }' out || complain "trust: $(cat out)"

# An ensemble that does not know that friction scatters is too sure, and --observed takes its certainty.
plan 0.001
"$heft" predict --observed seen.csv results >out
scored '/--trust/ { split($NF, t, ","); exit !(t[2] < 0.75) }' out || complain "too sure: $(cat out)"
scored '/--trust/ { split($NF, t, ","); wide = t[3] > 1.5 } /intervals of 90/ { held = $2 > 80 } END { exit !(wide && held) }' out ||
  complain "narrow: $(cat out)"

refused() {  # <part of the message> <arguments>...
  wanted=$1
  shift
  if "$heft" predict "$@" >out 2>err; then complain "accepted: $*"; fi
  grep -qF -- "$wanted" err || complain "'$*' says: $(cat err)"
}
refused "draws what --observed scores" --plot a.svg results
refused "two or three numbers above 0" --trust 0,1,1 results
refused "two or three numbers above 0" --trust 1 results
refused "expected the folder"
head -5 seen.csv >few.csv
refused "4 rows were observed, the sweep has 160 ensembles" --observed few.csv results
printf 'other\n' >other.csv; sed 1d seen.csv | sed 's/,.*//' >>other.csv
refused "no column of the observed table" --observed other.csv results
echo "predict: ok"
