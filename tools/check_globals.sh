#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that libraries or objects hold no writable variable, global or static, but those named in
# tools/globals.txt. Worlds share nothing, so they may be stepped from any thread.
# usage: check_globals.sh <library.a or object>...
set -eu

tools=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || { echo "usage: check_globals.sh <library.a or object>..." >&2; exit 1; }
command -v objdump >/dev/null || { echo "check_globals: objdump (binutils) is not installed" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
for file in "$@"; do
  [ -r "$file" ] || { echo "check_globals: cannot read $file" >&2; exit 1; }
  objdump -t "$file" >>"$work/symbols"
done

# nm would call tables of constant pointers (.data.rel.ro, read-only once loaded) writable; the
# section says better. A line is: value, seven flags, section, size, name.
LC_ALL=C awk -v allow="$tools/globals.txt" '
  BEGIN {
    while ((getline line < allow) > 0) {
      if (line ~ /^#/ || line ~ /^[ \t]*$/) continue
      n = split(line, words, " ")
      if (n < 2) {
        printf "%s: \"%s\" gives no reason\n", allow, line
        errors++
      }
      allowed[words[1]] = 1
    }
  }
  /file format/ {
    object = $1
    sub(/:$/, "", object)
    objects++
    next
  }
  /^[0-9a-f]+ / {
    flags = substr($0, length($1) + 2, 7)
    $0 = substr($0, length($1) + 10)
    section = $1
    if (flags ~ /[dfF]/) next # a section, a file or a function
    if (section !~ /^(\.data|\.bss|\.tdata|\.tbss|\.ldata|\.lbss|\*COM\*|COMMON)/) next
    if (section ~ /^\.data\.rel\.ro/) next
    name = $NF
    if (name ~ /^(\.L|__asan|__tsan|__odr_asan)/) next
    plain = name
    sub(/\.[0-9]+$/, "", plain) # gcc numbers the statics of functions
    if (plain in allowed) next
    printf "%s: \"%s\" in %s can be written to; put it in the world or the def, make it const, " \
      "or give the reason in tools/globals.txt\n", object, name, section
    errors++
  }
  END {
    if (objects == 0) {
      print "check_globals: no objects to check"
      exit 1
    }
    if (errors) {
      printf "globals: %d writable variable%s\n", errors, errors == 1 ? "" : "s"
      exit 1
    }
    printf "globals: %d objects hold no writable variable but those of tools/globals.txt\n", objects
  }' "$work/symbols"
