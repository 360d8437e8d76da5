#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Heft follows tosses of a real cube and landings of a real robot no worse than before, and names what is missing or
# damaged. A sweep repeats tosses as tools/measurements.py plans them, and its probabilities hold.
# usage: tosses.sh <heft> <shared folder> <tools>
set -eu
heft=$1
data=$2/data
tools=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
complain() { echo "NOT ok: $*" >&2; exit 1; }
mkdir "$work/tosses"

refused() {  # <part of the message> <case>
  "$heft" validate --data "$work" "$2" >"$work/out" && complain "$2 passed: $1"
  grep -q "$1" "$work/out" || complain "$2 says: $(cat "$work/out")"
}
refused 'xz -dk tosses.txt.xz' tosses
refused 'measurements.py cassie' cassie
refused 'measurements.py drops' drops
printf '4\n2\n1 2 3 nan' >"$work/tosses/tosses.txt"
refused 'is damaged' tosses
printf '4\n100\n1 2 3 nan' >"$work/cassie.txt"
refused 'is damaged' cassie
printf 'a,b\n1,2,3,4,5,6,7' >"$work/ellipse.csv"
refused 'is damaged' drops

if [ ! -r "$data/tosses/tosses.txt.xz" ]; then
  echo "skipped: there are no measurements in $data"
  exit 77
fi
xz -dc "$data/tosses/tosses.txt.xz" >"$work/tosses/tosses.txt"
python3 -B "$tools/measurements.py" cassie "$data/cassie_impacts/jumping_data/data" >"$work/cassie.txt"
"$heft" validate --data "$work" tosses
HEFT_ROBOTS=$2/models "$heft" validate --data "$work" cassie

# Forty tosses, 20 runs of each: log loss at most 0.3 (0.16 of all tosses with 40 runs; 0.69 if nothing were known).
awk 'NR == 1 { print 40 } NR > 1 && tosses < 40 { print; if (left == 0) left = $1 + 1; if (--left == 0) ++tosses }' \
  "$work/tosses/tosses.txt" >"$work/few.txt"
python3 -B "$tools/measurements.py" tosses "$work/few.txt" "$work/plan"
sed -i "s/^repeat = 40/repeat = 20/" "$work/plan/plan.toml"
"$heft" sweep run --quiet --out "$work/results" "$work/plan/plan.toml" >/dev/null
"$heft" predict --observed "$work/plan/seen.csv" "$work/results" | tee "$work/out"
awk '/log loss/ { good = $7 < 0.3 && $8 != "" } END { exit !good }' "$work/out" || complain "the forecasts"
for body in ellipse_uniform square; do
  python3 -B "$tools/measurements.py" drops "$data/planar_impacts/$body.mat" >"$work/${body%_uniform}.csv"
done
rows=$(wc -l <"$work/ellipse.csv")
[ "$rows" = 2001 ] || complain "$rows rows of drops"
"$heft" validate --data "$work" drops
"$heft" identify --robust --impacts arm_away,arm_along,along0,away0,rate0,along1,away1,rate1 "$work/ellipse.csv" | tee "$work/out"
grep -q 'poisson.*the best' "$work/out" || complain "the law of the drops"
