#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the library's sources and hashes.c with every compiler that is there, at every level, and wants
# the same bits from all of them: those in golden.txt.
# The short form has one build: gcc at the lowest level without clones of kernels. With HEFT_LONG=1 there are fourteen. CTest compares
# the program determinism_hashes of its build (determinism/bits), so that CI has four: of the presets ci, ci-clang with the
# instructions of this machine, asan with little optimisation and without clones, and of WebAssembly.
# usage: compare.sh [root of the tree]                     compares
#        compare.sh [root of the tree] --write             writes golden.txt from the first build that all agree with
#        compare.sh [root of the tree] --program PROGRAM   compares a program that is built
set -eu

root=$(cd "${1:-$(dirname "$0")/../..}" && pwd)
golden=$root/tests/determinism/golden.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

. "$root/tests/determinism/sources.sh"
flags_gcc=-fno-tree-vectorize flags_clang=
sources=$(step_sources "$root")

# try <program> <out>: its lines
try() {
  "$1" >"$2" 2>>"$2.log" || echo "did not run to its end" >>"$2"
  # A fused instruction that this test does not reach may show elsewhere.
  if objdump -d "$1" 2>/dev/null | grep -qE '\bvfn?m(add|sub)'; then
    echo "holds fused multiply-adds" >>"$2"
  fi
}

if [ "${2:-}" = --program ]; then
  try "$3" "$work/1"
  diff "$golden" "$work/1" || { echo "OTHER BITS: $3"; exit 1; }
  echo "same bits: $3, $(wc -l <"$golden") scenes"
  exit
fi

# one <number> <compiler> <options>: lines of hashes, or what went wrong, in $work/<number>.
one() {
  folder=$work/objects.$1 out=$work/$1 compiler=$2
  if [ "$2" = gcc ]; then own=$flags_gcc; else own=$flags_clang; fi
  shift 2
  mkdir -p "$folder"
  # shellcheck disable=SC2086
  if (cd "$folder" && : >"$out.log" &&
    for source in $sources "$root/tests/determinism/hashes.c"; do
      object=$(echo "${source#"$root"/}" | tr / _).o
      $compiler "$@" $flags $own -I"$root/include" -I"$root/src" -I"$root" -c "$source" -o "$object" \
        2>>"$out.log" || exit 1
    done && $compiler ./*.o -o hashes -lm 2>>"$out.log"); then
    try "$folder/hashes" "$out"
  else
    echo "does not build" >"$out"
  fi
  rm -rf "$folder"
}

: >"$work/list"
count=0
for compiler in gcc ${HEFT_LONG:+clang}; do
  command -v $compiler >/dev/null || { echo "$compiler is not here"; continue; }
  first="-O0 -DHEFT_NO_CLONES" other="-O3 -march=native"
  if [ $compiler = clang ]; then first="-O3 -march=native" other="-O0 -DHEFT_NO_CLONES"; fi
  for options in "$first" ${HEFT_LONG:+"$other" "-O0" "-O2 -DHEFT_NO_CLONES" "-O3" "-O2" "-O1"}; do
    count=$((count + 1))
    echo "$count $compiler $options" >>"$work/list"
  done
done
[ "$count" -gt 0 ] || { echo "no compiler"; exit 77; }

# Two at a time.
lane() {
  while read -r number compiler options; do
    [ $((number % 2)) -eq "$1" ] || continue
    # shellcheck disable=SC2086
    one "$number" "$compiler" $options
  done <"$work/list"
}
lane 0 &
lane 1
wait

if [ "${2:-}" = --write ]; then cp "$work/1" "$golden"; fi
errors=0
while read -r number compiler options; do
  if cmp -s "$golden" "$work/$number"; then
    echo "same bits: $compiler $options"
  else
    echo "OTHER BITS: $compiler $options"
    diff "$golden" "$work/$number" | sed 's/^/    /' || true
    sed 's/^/    /' "$work/$number.log" | grep -v 'note:' | tail -n 5
    errors=$((errors + 1))
  fi
done <"$work/list"
echo "$((count - errors)) of $count builds give the bits of golden.txt"
[ "$errors" -eq 0 ]
