#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Counts what public functions check of their callers (src/base/assert.h): HEFT_REQUIRE, HEFT_REQUIRE_VOID
# and HEFT_ASSERT, by room; and the HEFT_ASSERT of all functions, by room. A function that has nothing to check (no argument, plain numbers) counts as a
# function, too. Functions that only call a checked one have none of their own.
# usage: count_asserts.sh [--list] [root of the tree]
#   --list   also the public functions that take a pointer or an index and check nothing themselves
set -eu

list=0
if [ "${1:-}" = --list ]; then
  list=1
  shift
fi
tools=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$tools/..}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# Names of the functions that the installed headers declare.
cat include/heft/*.h | sed 's://.*::' | tr '\n' ' ' | grep -oE 'HEFT_API [^;{(]*heft_[a-z0-9_]+ ?\(' |
  grep -oE 'heft_[a-z0-9_]+ ?\(' | tr -d ' (' >"$work/names"
cat include/heft/*.h | tr '\n' ' ' | grep -oE 'HEFT_DEF_FUNCTIONS\([^)]*\)' | sed -E 's/.*, *([a-z0-9_]+)\)/\1/' \
  >>"$work/names"
LC_ALL=C sort -u "$work/names" -o "$work/names"

# One line for each definition: room, function, checks, whether it takes a pointer or an integer.
find src -name '*.c' | LC_ALL=C sort | while IFS= read -r file; do
  room=${file#src/}
  awk -v room="${room%%/*}" '
    NR == FNR { public[$1] = 1; next }
    /^[A-Za-z_]/ { head = ""; first = 1 }
    !open && first { head = head " " $0 }
    !open && first && /\{/ && head ~ /\(/ && head !~ /^ (typedef|struct|enum|union|extern|static)/ {
      name = head
      sub(/ *\(.*/, "", name)
      sub(/.*[ *]/, "", name)
      open = 1
      checks = 0
      takes = substr(head, index(head, "(")) ~ /\*|\[|[(, ]int /
    }
    open { line = $0; checks += gsub(/HEFT_(REQUIRE|REQUIRE_VOID|ASSERT|DEF_STAMP|DEF_CHECK)\(/, "", line) }
    open && (/^}/ || / }$/ && /^[A-Za-z_]/) {
      if (name in public) print room, name, checks, takes
      open = 0
      first = 0
    }
    !open && /;$/ { first = 0 }' "$work/names" "$file"
done >"$work/functions"

echo "Checks of callers in public functions"
awk '{ functions[$1]++; checks[$1] += $3; all++; sum += $3 }
  END {
    for (room in functions)
      printf "  %-10s %4d functions %4d checks %5.2f each\n", room, functions[room], checks[room],
        checks[room] / functions[room] | "sort"
    close("sort")
    if (all) printf "  %-10s %4d functions %4d checks %5.2f each\n", "all", all, sum, sum / all
  }' "$work/functions"
echo "Asserts inside the rooms"
grep -rc 'HEFT_ASSERT(' src --include='*.[ch]' | grep -v '^src/base/assert\.h:' | awk -F '[/:]' '
  { count[$2] += $NF; sum += $NF }
  END {
    for (room in count) if (count[room]) printf "  %-10s %4d\n", room, count[room] | "sort"
    close("sort")
    printf "  %-10s %4d\n", "all", sum
  }'
if [ "$list" = 1 ]; then
  echo "Functions that take a pointer or an index and check nothing themselves"
  awk '$4 && $3 == 0 { print "  " $2 }' "$work/functions"
fi
