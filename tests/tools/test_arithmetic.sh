#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Options of the compiler that change the bits of results are refused by CMake, do not compile, or are noticed when a
# world is created.
set -u
cc=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

say() {
  echo "FAILED: $*"
  failed=1
}

try_cmake() { cmake -DHEFT_TRY_FLAGS="$1" -P cmake/HeftArithmetic.cmake >"$work/out" 2>&1; }

for flags in '' '-O2 -march=native' '-O3 -ffp-contract=off -fno-math-errno -fno-fast-math'; do
  try_cmake "$flags" || say "cmake refuses \"$flags\""
done
for flag in -Ofast -ffast-math -funsafe-math-optimizations -fassociative-math -freciprocal-math -ffinite-math-only \
  -ffp-contract=fast -ffp-contract=on -mfpmath=387; do
  try_cmake "-O2 $flag -g" && say "cmake takes $flag"
  tr -s " \n" "  " <"$work/out" | grep -q -e "compiled with $flag:" || say "cmake does not name $flag"
done

# What reaches the compiler in another way does not compile, or shows when the program runs.
cat >"$work/main.c" <<'END'
#include <stdio.h>
#include "base/float_environment.h"
int main(void) {
  const char* fault = heft_float_environment_fault();
  if (fault) puts(fault);
  return fault != NULL;
}
END
build() { "$cc" -std=c17 -Isrc "$@" -o "$work/program" src/base/float_environment.c "$work/main.c" >"$work/out" 2>&1; }

for level in -O0 -O1 -O2 -O3; do
  build $level -ffp-contract=off && "$work/program" >"$work/out" || say "$level is refused: $(cat "$work/out")"
done
for flag in -Ofast -ffast-math -ffinite-math-only; do
  build -O2 $flag && say "$flag compiles"
  grep -q 'IEEE 754' "$work/out" || say "$flag: the compiler does not say why"
done
build -O2 -funsafe-math-optimizations -ffp-contract=off && "$work/program" >"$work/out" && say "rearranged sums are not noticed"
if grep -qw fma /proc/cpuinfo 2>/dev/null && build -O2 -mfma -ffp-contract=fast; then
  "$work/program" >"$work/out" && say "contraction is not noticed"
  grep -q -e '-ffp-contract=off' "$work/out" || say "contraction: the message does not say what to do"
fi
[ $failed -eq 0 ] && echo "other arithmetic is refused"
exit $failed
