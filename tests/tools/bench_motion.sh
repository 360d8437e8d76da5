#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# heft bench motion: the forms of its table, and what must hold in it whatever the speed: counts add up,
# percentiles rise, no island sleeps, the same run gives the same residuals. Times are not judged.
# usage: bench_motion.sh <heft> <folder of scenes>
set -eu
heft=$1
command -v python3 >/dev/null || { echo "skipped: python3 is missing"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
bench() { "$heft" bench motion "$@" 2>>"$work/err"; }
fail() { echo "NOT ok: $*"; cat "$work/err"; exit 1; }

bench --quick --seconds 0.2 --csv >"$work/csv" || fail "--csv fails"
bench --quick --seconds 0.2 --json --alone >"$work/json" || fail "--json fails"
bench --quick --seconds 0.2 --markdown --alone >"$work/markdown" || fail "--markdown fails"
bench --quick --seconds 0.2 --alone >"$work/text" || fail "the table fails"
bench dominoes20 --seconds 0.2 --deadline 1e6 --csv >"$work/late_never" || fail "--deadline fails"
bench dominoes20 --seconds 0.2 --deadline 1e-3 --csv >"$work/late_always" || fail "--deadline fails"
bench balls_10 --seconds 0.05 --rollouts 3 --csv >"$work/rollouts" || fail "--rollouts fails"
bench balls_10 --seconds 0.02 --threads 2 --csv >"$work/threads" || fail "--threads fails"
if HEFT_ROBOTS="$work" bench g1/stand >"$work/absent"; then fail "nothing ran, and that is no failure"; fi
HEFT_ROBOTS="$work" bench g1/stand balls_10 --seconds 0.02 --alone >"$work/one" || fail "one absent model of two fails"
(unset HEFT_ROBOTS; bench --seconds 0.01 --repeat 1 --alone) >"$work/shipped" || fail "without third-party robots nothing runs"
grep -q "^hrp2_like/random  *Heft" "$work/shipped" || fail "the robots of Heft do not run"
if "$heft" bench robots "$work" >"$work/robots"; then fail "robots that are missing are no failure"; fi
grep -q "checkout [0-9a-f]\{40\}" "$work/robots" || fail "no command fetches the robots"
[ ! -e "${HEFT_ROBOTS:-/nowhere}/mjcf" ] || "$heft" bench robots >"$work/robots" || fail "$(cat "$work/robots")"
if "$heft" bench scenes "$work" >"$work/no_scenes" 2>&1; then fail "an empty folder is no failure of bench scenes"; fi
grep -q "g1/stand *skipped" "$work/absent" || fail "an absent model is not told"
if bench balls_10 --seconds 0.02 --mujoco "$work" >/dev/null; then fail "a missing MuJoCo was taken"; fi
if bench balls_10 --seconds 0.02 --box3d "$work" >/dev/null; then fail "a missing Box3D was taken"; fi
if bench g1/stnad >/dev/null; then fail "a misspelt case was taken"; fi

python3 - "$work" <<'END'
import csv, json, re, sys

work = sys.argv[1]
rows = list(csv.DictReader(open(work + "/csv")))
ours = [row for row in rows if row["engine"] == "Heft"]
assert len(ours) >= 4, "few cases"
for row in rows:
    assert re.fullmatch(r"Heft|MuJoCo \d+\.\d+\.\d+", row["engine"]), "an engine without its version"
times = ("median_us", "p99_us", "p999_us", "longest_us")
for row in rows:
    number = {k: float(v) for k, v in row.items() if k not in ("case", "engine")}
    name = row["case"] + " " + row["engine"]
    seconds = number["steps"] * number["step_s"]
    assert abs(seconds - 0.2) <= number["step_s"], name + ": not the time asked for"
    rising = [number[k] for k in times]
    assert rising == sorted(rising) and rising[0] > 0, name + ": percentiles"
    assert 0 < number["mean_us"] <= number["longest_us"], name + ": mean"
    assert number["contacts"] <= number["contacts_max"], name + ": contacts"
    assert number["repeats"] == 1, name + ": repeats"
    assert number["asleep"] == 0, name + ": asleep"
    if row["engine"] != "Heft":
        continue
    assert 0 <= number["above_1e-3"] <= number["inexact"] <= number["steps"], name + ": counts"
    assert (number["worst"] > number["tolerance"]) == (number["inexact"] > 0), name + ": worst"
    assert (number["worst"] > 1e-3) == (number["above_1e-3"] > 0), name + ": worst"

# The same steps in every form: what does not depend on the machine has the same digits.
same = ("nv", "steps", "contacts", "inexact", "above_1e-3", "worst", "dropped")
told = {row["name"]: row for row in json.load(open(work + "/json"))["rows"]}
assert list(told) == [row["case"] for row in ours], "JSON has other cases"
for row in ours:
    for key in same:
        assert float(row[key]) == float("%.9g" % told[row["case"]][key]), "%s: %s differs" % (row["case"], key)

lines = open(work + "/markdown").read().splitlines()
assert len(lines) == 2 + len(ours) and len({line.count("|") for line in lines}) == 1, "Markdown"

text = open(work + "/text").read()
for row in ours:
    assert re.search("^" + row["case"] + " +Heft +" + row["steps"] + " ", text, re.M), row["case"]
sums = [int(n) for n in re.search(r"Inexact: (\d+) of (\d+) steps, (\d+) above", text).groups()]
keys = ("inexact", "steps", "above_1e-3")
assert sums == [sum(int(row[k]) for row in ours) for k in keys], "the last line has other sums"

for file, late in (("late_never", False), ("late_always", True)):
    (row,) = csv.DictReader(open(work + "/" + file))
    for key in ("above_deadline", "above_1.25_deadline"):
        assert int(row[key]) == (int(row["steps"]) if late else 0), file
for row in csv.DictReader(open(work + "/threads")):
    assert row["threads"] == "2" and row["same"] == "1" and float(row["mean_us"]) > 0, "threads"
for row in csv.DictReader(open(work + "/rollouts")):
    assert row["worlds"] == "3" and float(row["one_us"]) > 0 and float(row["turn_us"]) > 0, "rollouts"
print("ok: %d cases, %d rows" % (len(ours), len(rows)))
END
