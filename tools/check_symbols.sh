#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks what shared libraries show and need. All names that they export start with heft_. The core,
# libheft.so, imports only the functions of tools/symbols.txt and needs no library but libc and libm.
# In a build folder, every function that is not public and not static has a user in another file: one
# whose users are in its own file is static, one that has none or only tests is deleted.
# usage: check_symbols.sh <library.so | build folder>...
set -eu

tools=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || { echo "usage: check_symbols.sh <library.so | build folder>..." >&2; exit 1; }
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

# check_users <build folder>: functions that no other file calls, also none of JavaScript. A file of tests or a peer may call one that has a user
# in its own file. Emulated drivers have the names of what they stand for.
# Python and importers of FMUs call by the names that their standards fix.
check_users() {
  users=", no function lacks a user"
  grep -rhoE '\bheft_[a-z0-9_]+ *\(' "$tools/../include" | tr -d ' (' | sort -u >"$work/public"
  find "$1" -name '*.c.o' -o -name '*.cpp.o' | grep -vE '/apps/(emulated|counted)/|/scenes/' >"$work/objects"
  xargs nm -A -P <"$work/objects" 2>/dev/null | awk -v public="$work/public" '
    BEGIN { while ((getline name <public) > 0) known[name] = 1; known["main"] = 1 }
    { object = $1; sub(/\.o:$/, "", object); sub(/.*\.dir\//, "", object) }
    $3 == "U" { if (object ~ /^(tests|bench)\//) tested[$2] = 1; else used[$2] = 1 }
    $3 == "T" && object ~ /^(src|apps|python|experiments)\// { file[$2] = object }
    END { for (name in file) if (!used[name] && !known[name] && name !~ /^(PyInit_|fmi3[A-Z])/) print file[name], name, tested[name] + 0 }
  ' | sort >"$work/unused"
  while read -r file name tested; do
    [ -f "$tools/../$file" ] || continue  # of an older build
    own=$(sed 's|//.*||' "$tools/../$file" | grep -cw "$name" || true)
    if [ "$own" -le 1 ] && ! grep -rqw "$name" "$tools/../src" "$tools/../apps" "$tools/../js/lib" --include='*.c' --include='*.js' --exclude="${file##*/}"; then
      complain "$file: $name has no user"
    elif [ "$own" -gt 1 ] && [ "$tested" = 0 ]; then
      complain "$file: $name has its users in this file and could be static"
    fi
  done <"$work/unused"
}

exported=0 users=
for library in "$@"; do
  if [ -d "$library" ]; then
    check_users "$library"
    continue
  fi
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
echo "symbols: $exported exported names start with heft_, the core imports libc and libm alone$users"
