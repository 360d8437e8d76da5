#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A long campaign of fuzzing: every target of build/fuzz for some time, one after the other, at the lowest priority.
# What it learns stays in build/fuzz/found/<target> and is taken up again by the next campaign; inputs that break
# something lie in build/fuzz/crashes. Prints the executions of each target and of all.
# With HEFT_FUZZ_BUILD=build/fuzz-fast the programs of the preset "fuzz-fast" are run instead.
# usage: fuzz_campaign.sh [seconds for each target, default 600] [target...]
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-600}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- mjcf urdf compiled obj stl png collision
build=${HEFT_FUZZ_BUILD:-build/fuzz}
mkdir -p build/fuzz/crashes
total=0 found=0
for thing; do
  program=$build/bin/fuzz_$thing
  [ -x "$program" ] || { echo "fuzz: $program is not there; cmake --preset ${build#build/} && cmake --build --preset ${build#build/}"; exit 1; }
  own=build/fuzz/found/$thing log=build/fuzz/found/$thing.log
  mkdir -p "$own"
  dict=
  [ ! -f "tests/fuzz/$thing.dict" ] || dict=-dict=tests/fuzz/$thing.dict
  # Two shapes and a pose are few bytes.
  [ "$thing" = collision ] && length=64 || length=4096
  # shellcheck disable=SC2086
  nice -n 19 "$program" -max_total_time="$seconds" -timeout=25 -max_len=$length -print_final_stats=1 $dict \
    "-artifact_prefix=build/fuzz/crashes/$thing-" "$own" "tests/fuzz/corpus/$thing" >"$log" 2>&1 || {
    found=$((found + 1))
    echo "$thing: FOUND something, see $log"
  }
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  echo "$thing: ${runs:-0} executions"
  total=$((total + ${runs:-0}))
done
echo "fuzz: $total executions, $found findings"
[ "$found" -eq 0 ]
