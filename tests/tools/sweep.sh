#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# heft sweep: the same bits by one worker and by two, by shards, and after kill -9 at any moment; replay,
# export, pictures; mistakes are told. Nothing here depends on the speed of the machine.
# usage: sweep.sh HEFT SCENES
set -eu
heft=$1
here=$(cd "$(dirname "$0")" && pwd)
examples=$here/../../examples/sweep
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
fail() { echo "sweep: $1"; tail -n 20 "$work/out"; exit 1; }
cp "$examples"/*.xml "$examples"/*.csv "$work"
sed 's/^runs = .*/runs = 300\nchunk = 10\nfinal_state = true/' "$examples/grasp.toml" >"$work/grasp.toml"
printf '[log]\nruns = [5]\n' >>"$work/grasp.toml"
cd "$work"

"$heft" sweep check grasp.toml >out 2>&1 || fail "check failed"
grep -q "300 of 0.3 s in 60 steps" out || fail "check does not tell the runs"
grep -q "30 chunks of 10 runs" out || fail "check does not tell the chunks"

"$heft" sweep run grasp.toml --out one --workers 1 --quiet >out 2>&1 || fail "one worker failed"
"$heft" sweep run grasp.toml --out two --workers 2 --quiet >out 2>&1 || fail "two workers failed"
hash=$("$heft" sweep hash one)
diff -r one two >out 2>&1 || fail "one worker and two differ"
[ -s one/logs/run-5.mcap ] || fail "the log of run 5 is missing"

# Shards, by numbers and by the variables of starters.
"$heft" sweep run grasp.toml --out shard0 --shard 0/3 --quiet >out 2>&1 || fail "shard 0 failed"
SLURM_ARRAY_TASK_ID=8 SLURM_ARRAY_TASK_MIN=7 SLURM_ARRAY_TASK_COUNT=3 \
  "$heft" sweep run grasp.toml --out shard1 --shard auto --quiet >out 2>&1 || fail "a task of Slurm failed"
PARALLEL_SEQ=3 HEFT_SHARD_COUNT=3 "$heft" sweep run grasp.toml --out shard2 --shard auto --quiet >out 2>&1 ||
  fail "a job of GNU parallel failed"
if "$heft" sweep hash shard0 >out 2>&1; then fail "a shard alone has a hash"; fi
"$heft" sweep merge --out merged shard0 shard1 shard2 >out 2>&1 || fail "merge failed"
[ "$("$heft" sweep hash merged)" = "$hash" ] || fail "shards differ"
JOB_COMPLETION_INDEX=1 HEFT_SHARD_COUNT=2 "$heft" sweep run grasp.toml --out shared --shard auto --quiet >out 2>&1 ||
  fail "an indexed job failed"
"$heft" sweep run grasp.toml --out shared --quiet >out 2>&1 || fail "the rest failed"
grep -q "present before      15 of 30 chunks" out || fail "the rest was computed again"
[ "$("$heft" sweep hash shared)" = "$hash" ] || fail "an indexed job differs"

# Killed as soon as there is a chunk more, three times; then it goes on.
for round in 1 2 3; do
  "$heft" sweep run grasp.toml --out killed --workers 2 --quiet >out 2>&1 &
  process=$!
  before=$(ls killed/chunks 2>/dev/null | wc -l)
  while kill -0 $process 2>/dev/null && [ "$(ls killed/chunks 2>/dev/null | wc -l)" -le "$before" ]; do :; done
  kill -9 $process 2>/dev/null || true
  wait $process 2>/dev/null || true
done
"$heft" sweep run grasp.toml --out killed --quiet >out 2>&1 || fail "it did not go on after kill -9"
[ "$("$heft" sweep hash killed)" = "$hash" ] || fail "results after kill -9 differ"
[ "$(ls -A killed/chunks | wc -l)" = 30 ] || fail "kill -9 left files: $(ls -A killed/chunks | head -n 3)"

# Ctrl-C: what is done is stored, and the exit code says so.
cp grasp.toml first.toml
sed -i 's/^runs = 300/runs = 100000/' grasp.toml
"$heft" sweep run grasp.toml --out stopped --quiet >out 2>&1 &
process=$!
while [ "$(ls stopped/chunks 2>/dev/null | wc -l)" -lt 2 ] && kill -0 $process; do :; done
kill -INT $process
code=0
wait $process || code=$?
[ "$code" = 130 ] || fail "exit code $code after Ctrl-C"
grep -q "the same command goes on" out || fail "Ctrl-C does not say what to do"
if "$heft" sweep run grasp.toml --out one >out 2>&1; then fail "results of another plan were taken"; fi
grep -q "another plan" out || fail "another plan is not told"

# One run again.
"$heft" sweep replay one lifted:2 --log run.mcap --evidence proof.mcap >out 2>&1 || fail "replay failed"
"$(dirname "$heft")/heft-check" proof.mcap >checked || fail "a step of a sweep is refused: $(cat checked)"
grep -q "the same, bit for bit" out || fail "replay differs"
[ -s run.mcap ] || fail "replay wrote no log"
"$heft" sweep replay one 299 >out 2>&1 || fail "replay of the last run failed"
"$heft" sweep replay one lifted@friction=0.6,force=40 >out 2>&1 || fail "no run near a point of the map"
grep -q "result lifted  *1" out || fail "the run near a point has no event"
if "$heft" sweep replay one lifted@frction=0.6 >out 2>&1; then fail "there is no input 'frction'"; fi
grep -q "friction" out || fail "no hint for a wrong input"
if "$heft" sweep replay one lifted@friction >out 2>&1; then fail "a point without a value"; fi
if "$heft" sweep replay one 300 >out 2>&1; then fail "there is no run 300"; fi
if "$heft" sweep replay one droped >out 2>&1; then fail "there is no such event"; fi

"$heft" sweep export one --csv all.csv >out 2>&1 || fail "export failed"
[ "$(wc -l <all.csv)" = 301 ] || fail "export has not all runs"
"$heft" sweep export one --parquet all.parquet >out 2>&1 || fail "export to Parquet failed"
python3 "$here/read_parquet.py" all.parquet all.csv >out 2>&1 || fail "Parquet and CSV differ"
if "$heft" sweep export one --parquet all.parquet --csv all.csv >out 2>&1; then fail "two files at once"; fi
"$heft" sweep show one >out 2>&1 || fail "show failed"
grep -q "^  lifted " out || fail "show has no table"
"$heft" sweep show one --map friction,force,lifted -o map.svg >out 2>&1 || fail "no map"
"$heft" sweep show one --maps height_final -o maps.svg >out 2>&1 || fail "no maps"
"$heft" sweep show one --histogram height_max -o histogram.svg >out 2>&1 || fail "no histogram"
[ "$(grep -c "<rect" map.svg)" -gt 300 ] || fail "the map is empty"
# The page of numbers needs nothing but itself, and shows every result that differs between runs.
"$heft" sweep show one --html page.html --follow >out 2>&1 || fail "no page"
for text in "30 stored of 30 chunks" "event lifted" "height_max"; do
  grep -q "$text" page.html || { cp page.html out; fail "the page does not say '$text'"; }
done
[ "$(grep -c '<svg' page.html)" -ge 2 ] || fail "the page has no histograms"
if grep -oE '(src|href|url)[=(]|http-equiv="refresh"|https?://[^"]*' page.html | grep -v http://www.w3.org/2000/svg; then
  fail "the page asks for other files, or loads again although all runs are there"
fi
if "$heft" sweep show one --follow >out 2>&1; then fail "--follow has nothing to write"; fi
if "$heft" sweep show one --html absent/page.html >out 2>&1; then fail "a page went to a folder that is not there"; fi
if "$heft" sweep show one --map friction,forc,lifted -o map.svg >out 2>&1; then fail "there is no column 'forc'"; fi
grep -q "did you mean 'force'" out || fail "a wrong column has no hint"
# A chunk with other bytes in another folder: a machine is faulty. Neither is taken until it is computed again.
cp -r one faulty
other=faulty/chunks/000004.h5
before=$(($(wc -c <$other) - 32)) # of the checksum
head -c $((before - 3)) $other >bytes
printf 'xyz' >>bytes
openssl dgst -sha256 -binary bytes | cat bytes - >$other
cp -r one disputed
if "$heft" sweep merge --out disputed faulty >out 2>&1; then fail "different bytes were merged"; fi
grep -q "different bytes" out || fail "merge does not tell of different bytes"
[ ! -e disputed/chunks/000004.h5 ] || fail "one of two different results was taken"
[ "$(ls disputed/quarantine/000004-*.h5 | wc -l)" = 2 ] || fail "not both results were kept"
if "$heft" sweep hash disputed >out 2>&1; then fail "a disputed folder has a hash"; fi
if "$heft" sweep run first.toml --out disputed --quiet >out 2>&1; then fail "a quarantine was forgotten"; fi
grep -q "quarantine  *1 chunks" out || fail "run does not tell of the quarantine"
"$heft" sweep run first.toml --out disputed --quiet --retry >out 2>&1 || fail "the chunk was not computed again"
[ "$("$heft" sweep hash disputed)" = "$hash" ] || fail "results after a dispute differ"
# Results of another build whose bits differ.
sed 's/^heft_bits = .*/heft_bits = "0123456789abcdef"/' one/manifest.toml >manifest.toml
cp -r one other && cp manifest.toml other/manifest.toml
if "$heft" sweep run first.toml --out other --quiet >out 2>&1; then fail "results of another build were taken"; fi
grep -q "computes other bits" out || fail "the reason is not told"
if "$heft" sweep rum one >out 2>&1; then fail "there is no part 'rum'"; fi
grep -q "did you mean 'run'" out || fail "a wrong part has no hint"

# A plug-in, with an option from a list: run by run the state of `heft run`.
scenes=$(dirname "$examples")/../scenes
"${CC:-cc}" -O2 -shared -fPIC -I"$examples/../../include" -o trot.so "$examples/../plugin/trot.c"
printf 'bend\n0.3\n0.4\n0.5\n' >bends.csv
cat >trot.toml <<TOML
model = "$scenes/quadruped.xml"
duration = 0.5
list = "bends.csv"
chunk = 2
[control]
plugin = "./trot.so"
[[vary]]
name = "bend"
what = "option"
of = "bend"
column = "bend"
[[measure]]
name = "height"
what = "body_z"
of = "trunk"
keep = ["min", "mean"]
TOML
"$heft" sweep run trot.toml --out trot --workers 1 --quiet >out 2>&1 || fail "a plug-in failed"
mv trot.so elsewhere.so # the folder has a copy
for run in 0 1 2; do
  bend=$(sed -n $((run + 2))p bends.csv)
  mine=$("$heft" sweep replay trot $run | sed -nE 's/.*state_hash +//p' | tr -d ' ')
  plain=$("$heft" run "$scenes/quadruped.xml" --quiet --time 0.5 --plugin ./elsewhere.so:bend=$bend | sed -nE 's/.*state hash +//p')
  [ "$mine" = "$plain" ] || fail "run $run is not that of heft run: $mine, $plain"
done
sed -i 's/of = "bend"/of = "bent"/' trot.toml
mv elsewhere.so trot.so
if "$heft" sweep run trot.toml --out trot2 --quiet >out 2>&1; then fail "there is no option 'bent'"; fi
grep -q "did you mean 'bend'" out || fail "a wrong option has no hint"

# Damaged chunks: each verb names them, and the next run computes them again.
sed 's/^runs = 100000/runs = 60/; s/^chunk = .*/chunk = 20/' grasp.toml >whole.toml
"$heft" sweep run whole.toml --out whole --quiet >out 2>&1 || fail "a small sweep failed"
good=$("$heft" sweep hash whole)
damaged=$(find whole/chunks -name '*.h5' | sort | sed -n 1p)
cp "$damaged" kept.h5
for damage in flip tail cut; do
  size=$(wc -c <kept.h5)
  cp kept.h5 "$damaged"
  case $damage in
    flip) printf 'X' | dd of="$damaged" bs=1 seek=$((size - 90)) conv=notrunc 2>/dev/null ;;
    tail) head -c 320 /dev/zero | dd of="$damaged" bs=1 seek=$((size - 320)) conv=notrunc 2>/dev/null ;;
    cut) head -c $((size - 7)) kept.h5 >"$damaged" ;;
  esac
  for verb in hash show export; do
    if "$heft" sweep $verb whole >out 2>&1; then fail "$verb accepts a damaged chunk ($damage)"; fi
    grep -q "chunk 0 is damaged" out || fail "$verb does not name a damaged chunk ($damage)"
  done
  rm -rf merged
  if "$heft" sweep merge --out merged whole >out 2>&1; then fail "merge accepts a damaged chunk ($damage)"; fi
  grep -q "chunk 0 is damaged" out || fail "merge does not name a damaged chunk ($damage)"
  "$heft" sweep run whole.toml --out whole --quiet >out 2>&1 || fail "a damaged chunk ends the sweep ($damage)"
  grep -q "chunk 0 is damaged" out || fail "run does not name a damaged chunk ($damage)"
  [ "$("$heft" sweep hash whole)" = "$good" ] || fail "a damaged chunk was not computed again ($damage)"
done

# A policy in Python.
if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
  cat >policy.py <<'PY'
import numpy as np
def act(o):
    lift = np.where(o.time > 0.1, 0.15, 0)
    return np.stack([8 + 0 * lift, 8 + 0 * lift, lift], axis=1)
PY
  sed 's/^runs = 100000/runs = 60/; s/^file = .*/python = "policy.py"\nperiod = 0.01/' grasp.toml >policy.toml
  PATH=/usr/bin:$PATH "$heft" sweep run policy.toml --out policy1 --workers 1 --quiet >out 2>&1 || fail "a policy failed"
  PATH=/usr/bin:$PATH "$heft" sweep run policy.toml --out policy2 --workers 2 --quiet >out 2>&1 || fail "a policy failed"
  [ "$("$heft" sweep hash policy1)" = "$("$heft" sweep hash policy2)" ] || fail "a policy gives other bits"
  PATH=/usr/bin:$PATH "$heft" sweep replay policy1 37 >out 2>&1 || fail "replay with a policy differs"
  echo "raise ValueError('no')" >policy.py
  if PATH=/usr/bin:$PATH "$heft" sweep run policy.toml --out policy3 --quiet >out 2>&1; then fail "a broken policy passed"; fi
  grep -q "the policy ended" out || fail "a broken policy is not told"
fi
echo "sweep: one worker, two, shards, kill -9, policy: $hash"
