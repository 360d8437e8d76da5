#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --json prints one object that a reader of JSON takes, with the keys of the manual, and nothing else.
# usage: json.sh <heft> <folder of scenes>
set -u
heft=$1 scenes=$2
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
bad=0
# json <exit code> <Python expression about the object o> <arguments>
json() {
  code=$1 test=$2
  shift 2
  "$heft" "$@" >"$work/out" 2>"$work/err"
  got=$?
  [ "$got" = "$code" ] || { echo "NOT ok: heft $*: exit code $got, expected $code"; cat "$work/err"; bad=1; }
  python3 - "$work/out" "$test" <<'PY' || { echo "NOT ok: heft $*"; head -c 400 "$work/out"; bad=1; }
import json, sys
o = json.load(open(sys.argv[1]), parse_constant=lambda c: sys.exit("not JSON: " + c))
assert isinstance(o, dict) and o["heft"] and o["verb"], o
assert eval(sys.argv[2]), sys.argv[2]
PY
}
cat >"$work/odd.xml" <<'XML'
<mujoco><worldbody><body name='a "quoted" \ ü'><freejoint/><geom size=".1"/></body>
<body name="b"><joint name="hinge" range="-30 30"/><geom size=".1"/></body></worldbody>
<actuator><motor name="m" joint="hinge"/></actuator><keyframe><key name="home" ctrl="1"/></keyframe></mujoco>
XML
printf '3 1 0 3 3 3 3  2 0 0  0 2 0.5  0 0.5 2  -1 0.5 0.25  0.4\n' >"$work/p.dat"
json 0 'o["models"][0]["nv"] == 7 and o["models"][0]["body_names"][0] == "a \"quoted\" \\ ü" and o["models"][0]["keyframe_names"] == ["home"] and o["models"][0]["bodies"][1]["joints"][0]["type"] == "hinge"' info --json "$work/odd.xml"
json 1 'not o["models"][1]["ok"] and o["models"][1]["errors"][0]["message"]' info "$work/odd.xml" "$work/none.xml" --json
json 0 'o["ok"] == 1 and o["failed"] == 0 and o["files"][0]["overlaps"][0]["depth"] > 0.1 and o["files"][0]["overlaps_complete"]' check --json "$work/odd.xml"
json 0 'o["steps"] == 100 and o["ok"] and len(o["state_hash"]) == 16 and o["max_relative"] < 1e-5 and o["warnings"] == []' run --json --time 0.1 --step 0.001 "$scenes/slope.xml"
json 0 'abs(o["friction_needed"] - 0.045 * 9.81 / 2 / (0.7 * 0.5)) < 1e-3' run --json --time 0.1 --key still --margin 1 "$scenes/grasp.xml"
json 0 'not o["slipped"]' why --json --time 0.2 --key firm --figure "$work/firm.svg" "$scenes/grasp.xml"
grep -q 'needs 3 % of its friction' "$work/firm.svg" || { echo "NOT ok: no picture of a grasp that holds"; bad=1; }
json 1 'not o["ok"] and o["errors"][0]["message"]' run --json "$work/none.xml"
json 0 'o["rests"] and o["end"] == "tips" and abs(o["load"] - 65.4) < 1e-3 and abs(o["replay"] - o["load"]) < 0.1 and len(o["contacts"]) == 4' hold --json --replay "$scenes/table.xml"
# Shanks turn about their feet while a soft robot sags: it has not failed. A push that grows in 2 s makes it swing.
json 0 '1 < o["load"] / o["replay"] < 1.4' hold --json --replay --force=1,0,0 "$scenes/quadruped.xml"
cat >"$work/slips.xml" <<'XML'
<mujoco><option timestep=".002" gravity="3.3552376 0 -9.2183847"/><default><geom friction=".3 0 0"/></default><worldbody>
<geom type="plane" size="9 9 1"/><body name="box" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
</worldbody></mujoco>
XML
json 1 'o["slipped"] and o["event"]["b"] == "box" and o["event"]["end"] == "slips on" and abs(o["remedies"][0]["holding_value"] - 0.364) < 3e-4 and o["remedies"][0]["failing_value"] < o["remedies"][0]["holding_value"]' why --json --time 1 "$work/slips.xml"
json 0 'abs(o["holding_value"] / (3.3552376 / 9.2183847 / 0.3) - 1) < 1e-6 and 0 < o["holding_value"] - o["failing_value"] < 2e-7' hold --json --limit friction=0.5:2 "$work/slips.xml"
json 0 'abs(o["holding_value"] / (0.045 * 9.81 / 1.4) - 1) < 1e-6 and o["failing_value"] < o["holding_value"]' hold --json --key still --limit control.left,control.right=0.1:2 --time 1 "$scenes/grasp.xml"
json 0 'abs(o["set_min"] / (0.9 * 9.81 * 20 * 0.25) - 1) < 1e-6 and abs(o["set_max"] / (1.1 * 65.4) - 1) < 1e-6' hold --json --time 1 --vary mass.table=0.9:1.1 --vary friction=0.5:1 "$scenes/table.xml"
json 0 'not o["slipped"] and o["causes"] == []' why --json --time 0.3 "$scenes/table.xml"
json 0 'o["problems"][0]["status"] == "solved" and o["problems"][0]["residual"] <= 1.1e-8 and o["exit_code"] == 0' solve --json "$work/p.dat"
json 0 'o["failed"] == 0 and o["count"] == len(o["rows"]) and all(r["ok"] for r in o["rows"])' validate --json slope
json 0 'o["name"] == "solver" and len(o["rows"]) == 3 and {r["tolerance"] for r in o["rows"]} == {1e-4, 1e-6, 1e-8}' bench solver --json "$work/p.dat"
json 0 'o["rows"][0]["median_us"] > 0 and o["rows"][0]["name"] == "boxes"' bench contact --json --steps 5 boxes
[ "$bad" = 0 ] && echo "json: ok"
exit "$bad"
