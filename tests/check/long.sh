#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# heft-check from the outside: which of its lines the evidence of tests/tools/check.sh reaches, and whether other compilers and
# processors give the same verdicts, without a warning: gcc, clang, i386, s390x (big-endian), a Cortex-M7 without a system.
# usage: long.sh HEFT SCENES
# Needs clang gcc-i686-linux-gnu gcc-s390x-linux-gnu gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-user qemu-system-arm of Debian.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
heft=$(realpath "$1") scenes=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
mkdir "$work/evidence" "$work/lines"
flags="-std=c17 -O2 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -ffp-contract=off"

# ---- lines

cd "$work/lines"
for file in "$here"/apps/check/*.c; do gcc -std=c17 -O0 --coverage -c "$file"; done
gcc --coverage -o heft-check ./*.o -lm
HEFT_CHECK=$work/lines/heft-check HEFT_KEEP=$work/evidence sh "$here/tests/tools/check.sh" "$heft" "$scenes"
gcov -o . ./*.gcda >"$work/gcov"
grep -H '#####' ./*.gcov | sed 's/^\.\/\(.*\)\.gcov: *#####: *\([0-9]*\): */not reached: \1:\2 /'
awk '/^File .*apps\/check/ { own = 1 } /^Lines executed/ && own { split($0, part, /[:% ]+/); n += $NF; run += $NF * part[3] / 100; own = 0 }
  END { printf "lines: %d of %d are reached, %.1f %%\n", run + 0.5, n, 100 * run / n; exit run + 0.5 < n }' "$work/gcov"

# ---- compilers and processors

# NAME COMPILER [FLAG...]: builds $work/NAME.
build() {
  name=$1 compiler=$2
  shift 2
  # shellcheck disable=SC2086
  "$compiler" $flags "$@" -o "$work/$name" "$here"/apps/check/*.c $more -lm
}
# NAME COMMAND...: the verdict of each step and what was not checked, of all evidence, as gcc's program gives them.
compare() {
  name=$1
  shift
  for file in "$work"/evidence/*.mcap; do
    code=0
    "$@" --verbose "$file" >"$work/out" 2>/dev/null || code=$?
    { sed -nE 's/^(step [0-9]+ [a-zA-Z]+).*/\1/p; /^[0-9]+ steps: /p; /not checked/p' "$work/out"; echo "exit code $code"; } >"$work/verdicts"
    [ "$name" != gcc ] || mv "$work/verdicts" "$file.gcc"
    [ "$name" = gcc ] || cmp "$work/verdicts" "$file.gcc"
  done
  echo "$name: no warnings, $(cat "$work"/evidence/*.gcc | grep -c ^step) verdicts as by gcc"
}
# FILE: on the Cortex-M7.
bare() {
  qemu-system-arm -M mps2-an500 -nographic -semihosting-config "enable=on,target=native,arg=heft-check,arg=$1,arg=$2" -kernel "$work/cortex-m7"
}
more=
build gcc gcc && compare gcc "$work/gcc"
build clang clang && compare clang "$work/clang"
build i386 i686-linux-gnu-gcc -static -msse2 -mfpmath=sse && compare i386 "$work/i386"
build s390x s390x-linux-gnu-gcc -static && compare s390x qemu-s390x "$work/s390x"
more="$here/tests/check/bare/start.c"
build cortex-m7 arm-none-eabi-gcc -DPART=4 -Wno-pedantic -mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-d16 --specs=rdimon.specs \
  -nostartfiles -T "$here/tests/check/bare/link.ld" && compare cortex-m7 bare
