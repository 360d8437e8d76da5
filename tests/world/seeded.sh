#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Does a step see its own faults? Plants the faults of tests/world/seeded.txt in the core, one at a time, and runs
# tests/world/seeded.c. Exits with 1 if a fault that must be seen leaves all steps solved, or the other way round.
# usage: seeded.sh LIBRARIES [PATTERN [HEFT-CHECK]]
#     LIBRARIES   folder of libheft.a and libheft_io.a, built without faults
#     PATTERN     faults whose line matches; --sample: every fifth
#     HEFT-CHECK  the program that judges instead of the step's status; it must see all faults of
#                 tests/world/seeded.txt and tests/world/seeded_check.txt but those marked invisible
set -eu
cd "$(dirname "$0")/../.."
libraries=$1
pattern=${2:-.}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
flags="-std=c17 -D_POSIX_C_SOURCE=200809L -O1 -ffp-contract=off -fno-math-errno -w -Wno-psabi -Iinclude"
cc=${CC:-cc}
check=${3:-}
$cc $flags -c tests/world/seeded.c -o "$work/seeded.o"
$cc $flags -Isrc -c apps/heft/evidence.c -o "$work/evidence.o"
# Objects that are named stand for those of the libraries.
run() { # [OBJECT...]: prints what it says; 0: all steps are solved
  $cc "$work/seeded.o" "$work/evidence.o" "$@" "$libraries/libheft_io.a" "$libraries/libheft.a" -lexpat -lpng -lqhull_r -lz -lzstd -lm -lpthread \
    -o "$work/run" || return 2
  "$work/run" ${check:+"$work/run.mcap" "$check"}
}
run >"$work/out" || { echo "without a fault: $(cat "$work/out")"; exit 2; }

grep -v '^#' tests/world/seeded.txt >"$work/all"
if [ -n "$check" ]; then
  grep -v '^#' tests/world/seeded_check.txt | cat "$work/all" - | sed 's/^unseen/seen/; s/^invisible/unseen/' >"$work/both"
  mv "$work/both" "$work/all"
fi
if [ "$pattern" = --sample ]; then
  awk 'NR % 5 == 1' "$work/all" >"$work/list"
else
  grep -e "$pattern" "$work/all" >"$work/list"
fi
wrong=0 count=0
while IFS='|' read -r expected file from to sources meaning; do
  file=$(echo $file) sources=$(echo $sources) expected=$(echo $expected)
  rm -rf "$work/mutant" "$work"/m_*.o
  for source in "$file" $sources; do
    mkdir -p "$work/mutant/$(dirname "$source")"
    cp "src/$source" "$work/mutant/$source"
  done
  python3 - "$work/mutant/$file" "$from" "$to" <<'PY' || { echo "NOT FOUND $file:$from"; wrong=$((wrong + 1)); continue; }
import sys
path, old, new = sys.argv[1], sys.argv[2].strip(), sys.argv[3].strip()
text = open(path).read()
if old not in text:
    sys.exit(1)
open(path, "w").write(text.replace(old, new))
PY
  for source in ${sources:-$file}; do
    $cc "-I$work/mutant" $flags -Isrc -c "$work/mutant/$source" -o "$work/m_$(basename "$source" .c).o"
  done
  found=seen
  run "$work"/m_*.o >"$work/out" 2>&1 && found=unseen
  count=$((count + 1))
  [ "$found" = "$expected" ] || { wrong=$((wrong + 1)); printf 'WRONG: '; }
  echo "$found $meaning: $(if [ -n "$check" ]; then sed -n 's/ *\([A-Z]*\) .*REFUSED.*/\1/p' "$work/out" | tr '\n' ' '; else tail -n 1 "$work/out"; fi)"
done <"$work/list"
echo "$count faults, $wrong not as expected"
[ "$wrong" = 0 ]
