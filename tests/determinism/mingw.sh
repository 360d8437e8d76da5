#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Papers: R58.
# The core for Windows, compiled by MinGW-w64 and run by Wine, has the bits of golden.txt, and its tests pass.
#   mingw.sh --short   golden.txt alone, by the rooms that a step needs, compiled with -O1
#   mingw.sh           the whole core as heft.dll, golden.txt, and each test of its rooms that reads no file of a model
#                      and starts no process; cmocka is compiled from Debian's source (js/wasm_sources.sh). HEFT_ROOMS
#                      in the environment: only tests of these rooms. HEFT_VERBOSE=1: names what is left out
# Exit code 77: a program or source is missing.
# usage: mingw.sh [--short] [root of the tree]
set -eu

short=
if [ "${1:-}" = --short ]; then
  short=1
  shift
fi
cd "${1:-$(dirname "$0")/../..}"
cc=x86_64-w64-mingw32-gcc
wine=$(command -v wine64 || command -v /usr/lib/wine/wine64) || wine=
command -v $cc >/dev/null && [ -n "$wine" ] || {
  echo "skipped: MinGW-w64 or Wine was not found; apt-get install --no-install-recommends gcc-mingw-w64-x86-64-win32 wine64"
  exit 77
}
work=$(mktemp -d)
# The server of Wine writes to its folder after a program ends.
server=$(command -v wineserver || echo /usr/lib/wine/wineserver)
trap '"$server" -k || :; rm -rf "$work"' EXIT INT TERM
export WINEPREFIX="$work/wine" WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml="
jobs=$(nproc 2>/dev/null || echo 2)
. tests/determinism/sources.sh
# Formats as in C17, threads from a static library, and the flags of cmake/HeftFlags.cmake.
all="$flags -fno-tree-vectorize -D__USE_MINGW_ANSI_STDIO=1 -Iinclude -Isrc -Itests -I. -include tests/determinism/windows.h"
command -v ccache >/dev/null && cc="ccache $cc"

# compile <folder> <flag>...: each source of the input to <folder>/<path>.o
compile() {
  folder=$1
  shift
  mkdir -p "$folder"
  # shellcheck disable=SC2016  # the inner shell fills these in
  xargs -P "$jobs" -I FILE sh -c "$cc $all $* "'-c "$1" -o "$2/$(echo "$1" | tr / _).o"' one FILE "$folder"
}

# golden <program>: its lines are those of golden.txt
golden() {
  "$wine" "$1" 2>"$work/err" | tr -d '\r' >"$work/out" && diff tests/determinism/golden.txt "$work/out" && {
    echo "same bits: $2"
    return 0
  }
  tail -n 5 "$work/err"
  echo "OTHER BITS: $2"
  return 1
}

if [ -n "$short" ]; then
  { step_sources "$PWD" && echo tests/determinism/hashes.c; } | compile "$work/step" -O1
  $cc "$work"/step/*.o -static -lpthread -lm -o "$work/hashes.exe"
  golden "$work/hashes.exe" "Windows, $($cc --version | head -n 1)"
  exit
fi

js/wasm_sources.sh build/wasm-sources || {
  echo "skipped: the source of cmocka could not be fetched"
  exit 77
}
rooms=${HEFT_ROOMS:-}
whole="base math model dynamics collision contact world control interact"
for room in $whole; do find "src/$room" -name '*.c'; done | compile "$work/core" -O1 -DHEFT_BUILDING
x86_64-w64-mingw32-ar rcs "$work/libheft.a" "$work"/core/*.o
$cc -shared "$work"/core/*.o -static -lpthread -lm -o "$work/heft.dll" -Wl,--out-implib,"$work/libheft.dll.a"

# Files of golden.txt beside the core.
{ step_sources "$PWD" | grep -v '/src/[bmdcw][a-z]*/' && echo tests/determinism/hashes.c; } | compile "$work/golden" -O1
$cc "$work"/golden/*.o "$work/libheft.a" -static -lpthread -lm -o "$work/hashes.exe"
golden "$work/hashes.exe" "Windows, with the whole core"

cmocka=build/wasm-sources/cmocka
echo $cmocka/src/cmocka.c | compile "$work/cmocka" -O1 -I$cmocka/include -DHAVE_SIGNAL_H -DHAVE_MALLOC_H -DHAVE_INTTYPES_H \
  -DHAVE_TIME_H -DHAVE_STRUCT_TIMESPEC -DHAVE_CLOCK_GETTIME -DHAVE_CLOCK_REALTIME -DHAVE_SNPRINTF -DHAVE_VSNPRINTF
rooms=${rooms:-$whole}
for room in support $rooms; do find "tests/$room" -maxdepth 1 -name '*.c'; done | compile "$work/tests" -O1 -UNDEBUG \
  -I$cmocka/include -DHEFT_SHARED_DIR='\"none\"' -DHEFT_SOURCE_DIR='\".\"' 2>"$work/left_out" || :
x86_64-w64-mingw32-ar rcs "$work/rest.a" "$work"/tests/tests_support_*.o "$work"/golden/*_scenes_*.o "$work"/cmocka/*.o
passed=0 failed=0 left=0 skipped=0
for room in $rooms; do
  for source in tests/"$room"/test_*.c; do
    name=$room/$(basename "$source" .c | sed 's/^test_//')
    object=$work/tests/$(echo "$source" | tr / _).o
    if ! { [ -e "$object" ] && $cc "$object" "$work/rest.a" "$work/libheft.a" -static -lpthread -lm -o "$work/test.exe" 2>"$work/link"; }; then
      left=$((left + 1))
      [ -z "${HEFT_VERBOSE:-}" ] || { echo "left out: $name"; grep -m 1 -o 'undefined reference.*' "$work/link" || :; }
      continue
    fi
    status=0
    timeout 900 "$wine" "$work/test.exe" >"$work/out" 2>&1 || status=$?
    if [ $status -eq 0 ]; then
      passed=$((passed + 1))
    elif [ $status -eq 77 ]; then
      skipped=$((skipped + 1))
    else
      failed=$((failed + 1))
      echo "FAILED: $name"
      grep -a -A 2 'ERROR\|FAILED' "$work/out" | head -n 12
    fi
  done
done
echo "Windows: $passed tests of the core passed, $failed failed, $skipped skipped, $left left out"
[ $failed -eq 0 ]
