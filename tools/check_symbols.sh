#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks what shared libraries show and need. All names that they export start with heft_. The core,
# libheft.so, imports only the functions of tools/symbols.txt and needs no library but libc and libm.
# usage: check_symbols.sh <library.so>...
set -eu

tools=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || { echo "usage: check_symbols.sh <library.so>..." >&2; exit 1; }
for program in nm readelf; do
  command -v "$program" >/dev/null || { echo "check_symbols: $program (binutils) is not installed" >&2; exit 1; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
errors=0
complain() {
  printf '%s\n' "$1"
  errors=$((errors + 1))
}

awk '!/^#/ && NF == 1 { printf "tools/symbols.txt: \"%s\" gives no reason\n", $1 }' "$tools/symbols.txt" >"$work/bare"
while IFS= read -r line; do complain "$line"; done <"$work/bare"

# allowed <name>: a pattern of tools/symbols.txt matches
allowed() {
  while read -r pattern reason; do
    # shellcheck disable=SC2254  # a pattern
    case $pattern in
      '' | '#'*) ;;
      *) case $1 in $pattern) return 0 ;; esac ;;
    esac
  done <"$tools/symbols.txt"
  return 1
}

# check_imports <library>: functions and libraries that the core needs
check_imports() {
  nm -D --undefined-only "$1" | awk '{ name = $NF; sub(/@.*/, "", name); print name }' >"$work/imported"
  while IFS= read -r name; do
    allowed "$name" || complain "$1: imports $name, which is not in tools/symbols.txt"
  done <"$work/imported"
  readelf -d "$1" | sed -nE 's/.*\(NEEDED\).*\[(.*)\]$/\1/p' >"$work/needed"
  while IFS= read -r name; do
    case $name in
      libc.so* | libm.so* | libpthread.so* | libgcc_s.so* | ld-linux* | libc.musl*) ;;
      *) complain "$1: needs the library $name; the core needs libc and libm alone" ;;
    esac
  done <"$work/needed"
}

exported=0
for library in "$@"; do
  nm -D --defined-only "$library" >"$work/symbols" 2>/dev/null ||
    { echo "check_symbols: cannot read $library" >&2; exit 1; }
  awk '{ name = $NF; sub(/@.*/, "", name); print name }' "$work/symbols" >"$work/exported"
  [ -s "$work/exported" ] || complain "$library: exports nothing"
  while IFS= read -r name; do
    exported=$((exported + 1))
    case $name in
      heft_*) ;;
      *) complain "$library: exports $name, which does not start with heft_" ;;
    esac
  done <"$work/exported"
  case ${library##*/} in libheft.so*) check_imports "$library" ;; esac
done

if [ "$errors" -gt 0 ]; then
  echo "symbols: $errors mistakes"
  exit 1
fi
echo "symbols: $exported exported names start with heft_, and the core imports libc and libm alone"
