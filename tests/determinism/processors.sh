#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The bits of golden.txt on other processors and another C library: cross-compiles the sources of a step, as compare.sh
# does, and runs them under qemu.
#   aarch64   the usual rival of x86-64
#   i386      32-bit addresses; SSE2 (x87 rounds twice and is refused, see docs/decisions/002-determinism.md)
#   s390x     big endian; z14, since the compiler needs a minute for vectors of floats where the processor has none
#   musl      x86-64 with another libc and libm
# Debian: gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-i686-linux-gnu libc6-dev-i386-cross gcc-s390x-linux-gnu
# libc6-dev-s390x-cross qemu-user musl-tools. What is missing is said and left out.
# usage: processors.sh [NAME...]      default: aarch64 i386 s390x musl; takes some minutes
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
. "$root/tests/determinism/sources.sh"
jobs=$(nproc 2>/dev/null || echo 2)

# one <name> <compiler> <runner> [option...]: builds and runs; the lines of hashes in $work/<name>
one() {
  name=$1 compiler=$2 runner=$3
  shift 3
  if ! command -v "$compiler" >/dev/null || { [ -n "$runner" ] && ! command -v "$runner" >/dev/null; }; then
    echo "$name: skipped, $compiler${runner:+ or $runner} was not found"
    return 0
  fi
  mkdir -p "$work/objects.$name"
  # shellcheck disable=SC2086
  if ! { step_sources "$root"; echo "$root/tests/determinism/hashes.c"; } |
    (cd "$work/objects.$name" && xargs -P "$jobs" -I '{}' sh -c 'object=$(echo "$1" | tr / _).o; shift; "$@" -o "$object"' _ '{}' \
      "$compiler" -O2 $flags -fno-tree-vectorize "$@" -I"$root/include" -I"$root/src" -I"$root" -c '{}') 2>"$work/$name.log" ||
    ! "$compiler" "$@" -static "$work/objects.$name"/*.o -o "$work/$name.hashes" -lm -pthread 2>>"$work/$name.log"; then
    echo "$name: does not build"
    tail -n 5 "$work/$name.log"
    return 1
  fi
  $runner "$work/$name.hashes" >"$work/$name" 2>>"$work/$name.log" || echo "did not run to its end" >>"$work/$name"
  if cmp -s "$root/tests/determinism/golden.txt" "$work/$name"; then
    echo "$name: same bits, $(wc -l <"$work/$name") scenes ($("$compiler" -dumpfullversion -dumpversion))"
  else
    echo "$name: OTHER BITS"
    diff "$root/tests/determinism/golden.txt" "$work/$name" | head -n 10
    return 1
  fi
}

errors=0
for processor in "${@:-aarch64 i386 s390x musl}"; do
  for name in $processor; do
    case $name in
      aarch64) one aarch64 aarch64-linux-gnu-gcc qemu-aarch64 ;;
      i386) one i386 i686-linux-gnu-gcc qemu-i386 -msse2 -mfpmath=sse ;;
      s390x) one s390x s390x-linux-gnu-gcc qemu-s390x -march=z14 -fexcess-precision=fast ;;
      musl) one musl musl-gcc "" ;;
      *) echo "processors: unknown '$name'; aarch64, i386, s390x or musl" >&2; exit 2 ;;
    esac || errors=$((errors + 1))
  done
done
[ "$errors" -eq 0 ]
