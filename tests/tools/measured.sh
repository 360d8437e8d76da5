#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Papers: R75, R76.
# `heft experiment --measured`: files that are wrong are refused with their place. HEFT_LONG=1: the log of an
# experiment is zero apart from itself, and claims against MuJoCo are on the page of experiments.
# usage: measured.sh HEFT SCENES
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
fail() { echo "measured: $1"; cat "$work/out"; exit 1; }
refuse() { # name, options, words
  if "$heft" experiment squat --brief $2 >"$work/out" 2>&1; then fail "$1 was taken"; fi
  grep -q "$3" "$work/out" || fail "$1: the message has no '$3'"
}
heft=$1
models=$2/../models
export HEFT_MODELS="$models"

printf 'time,a\n0,1\n0,2\n' >"$work/equal.csv"
printf 'a,time\n0,1\n' >"$work/first.csv"
printf 'time,a\n0,1\n1,x\n' >"$work/word.csv"
printf '\002P' >"$work/short.c3d"
refuse "an absent file" "--measured $work/none.csv" "No such file"
refuse "equal times" "--measured $work/equal.csv" "equal.csv: row 2 has the time 0 after 0"
refuse "a table without time" "--measured $work/first.csv" "the first column is 'a'"
refuse "a word" "--measured $work/word.csv" "word.csv:3:3: expected a number"
refuse "a short C3D file" "--measured $work/short.c3d" "2 bytes"
refuse "an unknown marker" "--measured $2/../tests/fuzz/corpus/c3d/dec_3 --lead NOSE" "NOSE"
refuse "another engine" "--peer bullet" "expected mujoco"
[ "${HEFT_LONG:-}" ] || { echo "as it should be"; exit 0; }

"$heft" experiment squat --out "$work" >"$work/out" || fail "squat failed"
"$heft" experiment squat --measured "$work/squat.csv" >"$work/out" || fail "its log was refused"
[ "$(grep -c '^  measured .* RMS [0-9.]*e-\(0[7-9]\|1[0-9]\) apart' "$work/out")" = 4 ] || fail "a log differs from itself"
[ -x "$(dirname "$heft")/heft_open_mujoco" ] || { echo "there is no MuJoCo"; exit 0; }
"$heft" experiment pillar squat sway --peer mujoco --out "$work" >"$work/out" || fail "MuJoCo failed"
[ "$(grep -c '| MuJoCo with rigid contacts .* | holds |$' "$work/claims.md")" = 3 ] || fail "a claim does not hold"
grep '| MuJoCo with rigid contacts' "$work/claims.md" | sed 's/.*5\.1 | \(.*\) | holds |/\1/' | while read -r figures; do
  grep -qF "| $figures |" "$models/../docs/manual/experiments.md" || fail "the page has other figures than $figures"
done
echo "as it should be"
