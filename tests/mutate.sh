#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tries mistakes of a list, one at a time, and wants a test to fail for each. A mistake is planted in a copy of the sources; only the
# objects that it changes are compiled, and the test is linked with them in place of those of the build. All of
# tests/dynamics/mutations.txt take a few minutes:
#     tests/mutate.sh
# usage: mutate.sh [--build FOLDER] [--list FILE] [--sample N] [--turn N] [--only PATTERN]
#     --build FOLDER    a build of the tree by ninja; build/ci if none is named
#     --list FILE       another list, as tests/tools/security_mutations.txt
#     --sample N        N of them, spread over the list
#     --turn N          N of them that follow each other; which ones, the commit decides
#     --only PATTERN    those whose line matches
# A list has lines "tests: ...", which the lines below it are tried with, and "file | perl expression | meaning".
# Exits with 1 if one survives, does not apply or does not compile.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/ci
list=$root/tests/dynamics/mutations.txt
sample=0 turn=0 only=
while [ $# -gt 0 ]; do
  case $1 in
    --build) build=$(cd "$2" && pwd) ;;
    --list) list=$2 ;;
    --sample) sample=$2 ;;
    --turn) turn=$2 ;;
    --only) only=$2 ;;
    *) sed -n 's/^# \(usage: .*\)/\1/p' "$0" >&2; exit 2 ;;
  esac
  shift 2
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
mkdir "$work/tree" "$work/objects" "$work/commands"
for part in include src apps experiments bench; do cp -Rp "$root/$part" "$work/tree/"; done
# What is compiled but not changed is found where it is.
for part in build cmake tests validation; do ln -s "$root/$part" "$work/tree/$part"; done

# Each line of the list behind its tests and a tabulator.
awk '/^tests: / { sub(/^tests: /, ""); tests = $0; next }
  /^(#|equivalent:|[[:space:]]*$)/ { next }
  { print tests "\t" $0 }' "$list" >"$work/all"
if [ -n "$only" ]; then
  grep -E -- "$only" "$work/all" >"$work/list" || { echo "no mutation matches" >&2; exit 2; }
elif [ "$sample" -gt 0 ]; then
  awk -v n="$sample" '{ line[NR] = $0 }
    END { for (i = 0; i < n && i < NR; ++i) print line[int((i + 0.5) * NR / n) + 1] }' \
    "$work/all" >"$work/list"
elif [ "$turn" -gt 0 ]; then
  commit=$(git -C "$root" rev-parse --short=7 HEAD 2>/dev/null) || commit=0
  awk -v n="$turn" -v which=$((0x$(echo "$commit" | cut -c 1-7))) '{ line[NR] = $0 }
    END { for (i = 0; i < n && i < NR; ++i) print line[(which * n + i) % NR + 1] }' "$work/all" >"$work/list"
else
  cp "$work/all" "$work/list"
fi

# The programs without a mistake, and for each the commands that make it; the last one links.
needed=$(cut -f 1 "$work/list" | tr ' ' '\n' | sort -u)
# shellcheck disable=SC2046
cmake --build "$build" --target $(for name in $needed; do printf 'test_%s ' "$name"; done) >"$work/log" 2>&1 ||
  { tail -n 30 "$work/log"; exit 1; }
for name in $needed; do ninja -C "$build" -t commands "bin/test_$name" >"$work/commands/$name"; done
# Objects and what they were compiled from, by their paths in the tree.
ninja -C "$build" -t deps 2>/dev/null | awk -v root="$root/" '/^[^ ].*: #deps/ { sub(/:$/, "", $1); object = $1; next }
  NF == 1 { sub(/^(\.\.\/)+/, "", $1); if (index($1, root) == 1) $1 = substr($1, length(root) + 1); print object, $1 }' >"$work/deps"

# objects_of <file> <test>: those that are compiled from the file or include it, and that the test is made of
objects_of() {
  awk -v file="$1" '$2 == file { print $1 }' "$work/deps" | sort -u >"$work/changed"
  sed -nE 's/^.* -o ([^ ]+\.o) -c .*$/\1/p' "$work/commands/$2" | sort -u | comm -12 - "$work/changed"
}

# compile <object> <test>: from the copy of the sources; optimised less, since it is run once
compile() {
  to=$work/objects/$(echo "$1" | tr / _)
  [ ! -e "$to" ] || return 0
  command=$(grep -F -- " -o $1 -c " "$work/commands/$2" | head -n 1 |
    sed -E -e "s|$root/|$work/tree/|g" -e 's| -MD -MT [^ ]+ -MF [^ ]+||' -e "s| -o $1 -c | -w -O1 -o $to -c |")
  (cd "$build" && eval "$command") >"$work/log" 2>&1
}

# link <test>: with the objects that were compiled in place of those of the program or of its libraries
link() {
  command=$(tail -n 1 "$work/commands/$1")
  for object in $objects; do command=$(echo "$command" | sed "s| $object | |"); done
  command=$(echo "$command" | sed "s| -o bin/test_$1 | $(for object in $objects; do
    printf '%s ' "$work/objects/$(echo "$object" | tr / _)"
  done)-o $work/test |")
  (cd "$build" && eval "$command") >"$work/log" 2>&1
}

# fails <program>: whether a test fails. Tests make their short runs.
fails() { ! (cd "$root" && HEFT_SHORT=1 timeout 120 "$1" >"$work/out" 2>&1); }

# killer <file> <test>...: sets `found` to the first test that fails with the mistake and passes without it, or to nothing. 1: it does
# not build.
killer() {
  file=$1 found= linked=0
  shift
  for name in "$@"; do
    objects=$(objects_of "$file" "$name")
    [ -n "$objects" ] || continue
    for object in $objects; do compile "$object" "$name" || return 1; done
    link "$name" || return 1
    linked=1
    fails "$work/test" || continue
    if fails "$build/bin/test_$name"; then
      cat "$work/out"
      echo "mutate: $name fails without any mistake" >&2
      exit 1
    fi
    found=$name
    return 0
  done
  [ "$linked" -eq 1 ] || echo "no test uses $file" >"$work/log"
  [ "$linked" -eq 1 ]
}

tab=$(printf '\t')
killed=0 survived=0 broken=0
while IFS="$tab" read -r tests line; do
  file=${line%% | *}
  rest=${line#* | }
  meaning=${rest##* | }
  expression=${rest% | *}
  rm -f "$work/objects"/*
  perl -0pi -e "$expression" "$work/tree/$file"
  if cmp -s "$root/$file" "$work/tree/$file"; then
    echo "DOES NOT APPLY  $file: $meaning"
    broken=$((broken + 1))
    continue
  fi
  # shellcheck disable=SC2086
  if killer "$file" $tests; then
    if [ -n "$found" ]; then
      printf 'killed by %-20s %s: %s\n' "$found" "$file" "$meaning"
      killed=$((killed + 1))
    else
      echo "SURVIVED        $file: $meaning"
      survived=$((survived + 1))
    fi
  else
    echo "DOES NOT BUILD  $file: $meaning"
    tail -n 5 "$work/log"
    broken=$((broken + 1))
  fi
  cp "$root/$file" "$work/tree/$file"
done <"$work/list"
echo "$killed killed, $survived survived, $broken did not apply or build"
[ "$survived" -eq 0 ] && [ "$broken" -eq 0 ]
