#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The bits of golden.txt on other processors and another C library: cross-compiles the sources of a step, as compare.sh
# does, and runs them under qemu.
#   aarch64   the usual rival of x86-64
#   i386      32-bit addresses; SSE2 (x87 rounds twice and is refused, see docs/decisions/002-determinism.md)
#   s390x     big endian; z14, since the compiler needs a minute for vectors of floats where the processor has none
#   musl      x86-64 with another libc and libm
#   files     a compiled model, a moment, a recording and a log, written here and on s390x, which has the other byte order: they have
#             the same bytes, and each machine reads those of the other and goes on with the same bits (files.c)
# Debian: gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-i686-linux-gnu libc6-dev-i386-cross gcc-s390x-linux-gnu
# libc6-dev-s390x-cross qemu-user musl-tools. What is missing is said and left out.
# usage: processors.sh [NAME...]      default: aarch64 i386 s390x musl files; takes some minutes
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
. "$root/tests/determinism/sources.sh"
jobs=$(nproc 2>/dev/null || echo 2)

# compile <folder> <compiler> [option...]: the files whose paths come in as lines
compile() {
  folder=$1 compiler=$2
  shift 2
  mkdir -p "$folder"
  # shellcheck disable=SC2086
  (cd "$folder" && xargs -P "$jobs" -I '{}' sh -c 'object=$(echo "$1" | tr / _).o; shift; "$@" -o "$object"' _ '{}' \
    "$compiler" -O2 $flags -fno-tree-vectorize "$@" -I"$root/include" -I"$root/src" -I"$root" -c '{}')
}

# one <name> <compiler> <runner> [option...]: builds and runs; the lines of hashes in $work/<name>
one() {
  name=$1 compiler=$2 runner=$3
  shift 3
  if ! command -v "$compiler" >/dev/null || { [ -n "$runner" ] && ! command -v "$runner" >/dev/null; }; then
    echo "$name: skipped, $compiler${runner:+ or $runner} was not found"
    return 0
  fi
  if ! { step_sources "$root"; echo "$root/tests/determinism/hashes.c"; } |
    compile "$work/objects.$name" "$compiler" "$@" 2>"$work/$name.log" ||
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

file_sources() {
  step_sources "$root"
  find "$root/src/dynamics" -name 'delassus*.c' ! -name delassus_effectors.c
  find "$root/src/world/access" "$root/src/interact" "$root/src/record" -name '*.c'
  echo "$root/tests/determinism/files.c"
}

# exchange <compiler> <runner> [option...]: files between this machine and another one
exchange() {
  other=$1 runner=$2
  shift 2
  if ! command -v "$other" >/dev/null || ! command -v "$runner" >/dev/null; then
    echo "files: skipped, $other or $runner was not found"
    return 0
  fi
  if ! file_sources | compile "$work/files.here" cc 2>"$work/files.log" ||
    ! cc -static "$work/files.here"/*.o -o "$work/here" -lm -pthread 2>>"$work/files.log" ||
    ! file_sources | compile "$work/files.there" "$other" "$@" 2>>"$work/files.log" ||
    ! "$other" "$@" -static "$work/files.there"/*.o -o "$work/there" -lm -pthread 2>>"$work/files.log"; then
    echo "files: do not build"
    tail -n 5 "$work/files.log"
    return 1
  fi
  mkdir "$work/from.here" "$work/from.there"
  "$work/here" write "$work/from.here" && "$runner" "$work/there" write "$work/from.there" || return 1
  for file in "$work/from.here"/*; do
    cmp "$file" "$work/from.there/$(basename "$file")" || { echo "files: OTHER BYTES in $(basename "$file")"; return 1; }
  done
  mine=$("$work/here" read "$work/from.there") && theirs=$("$runner" "$work/there" read "$work/from.here") || return 1
  [ "$mine" = "$theirs" ] || { echo "files: the log is read as other messages"; return 1; }
  echo "files: same bytes of $(cd "$work/from.here" && echo ./* | sed 's|\./||g') on $(uname -m) and with $runner; each goes on from the other's"
}

errors=0
for processor in "${@:-aarch64 i386 s390x musl files}"; do
  for name in $processor; do
    case $name in
      aarch64) one aarch64 aarch64-linux-gnu-gcc qemu-aarch64 ;;
      i386) one i386 i686-linux-gnu-gcc qemu-i386 -msse2 -mfpmath=sse ;;
      s390x) one s390x s390x-linux-gnu-gcc qemu-s390x -march=z14 -fexcess-precision=fast ;;
      musl) one musl musl-gcc "" ;;
      files) exchange s390x-linux-gnu-gcc qemu-s390x -march=z14 -fexcess-precision=fast ;;
      *) echo "processors: unknown '$name'; aarch64, i386, s390x, musl or files" >&2; exit 2 ;;
    esac || errors=$((errors + 1))
  done
done
[ "$errors" -eq 0 ]
