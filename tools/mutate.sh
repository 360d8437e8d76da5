#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tries mistakes of a list, one at a time, in a copy of the tree, and wants a test to fail for each. All of
# tests/dynamics/mutations.txt take about a quarter of an hour:
#     tools/mutate.sh
# usage: mutate.sh [--list FILE] [--sample N] [--today N] [--only PATTERN] [--work FOLDER]
#     --list FILE       another list, as tests/tools/security_mutations.txt
#     --sample N        N of them, spread over the list
#     --today N         N of them that follow each other; another day, the next N
#     --only PATTERN    those whose line matches
#     --work FOLDER     keeps the copy and its build there, for the next time
# A list has lines "options: ...", of cmake; "tests: ...", which the lines below it are tried with; and
# "file | perl expression | meaning". Exits with 1 if one survives, does not apply or does not compile.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
list=$root/tests/dynamics/mutations.txt
sample=0 today=0 only= work=
while [ $# -gt 0 ]; do
  case $1 in
    --list) list=$2 ;;
    --sample) sample=$2 ;;
    --today) today=$2 ;;
    --only) only=$2 ;;
    --work) work=$2 ;;
    *) echo "usage: mutate.sh [--list FILE] [--sample N] [--today N] [--only PATTERN] [--work FOLDER]" >&2; exit 2 ;;
  esac
  shift 2
done

if [ -n "$work" ]; then
  mkdir -p "$work"
  work=$(cd "$work" && pwd)
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT INT TERM
fi
mkdir -p "$work/tree"
for part in CMakeLists.txt cmake include src scenes tests tools bench examples docs validation experiments apps models; do
  cp -Rpu "$root/$part" "$work/tree/"
done

# Each line of the list behind its tests and a tabulator.
options=$(sed -n 's/^options: //p' "$list")
awk '/^tests: / { sub(/^tests: /, ""); tests = $0; next }
  /^(#|equivalent:|options:|[[:space:]]*$)/ { next }
  { print tests "\t" $0 }' "$list" >"$work/all"
if [ -n "$only" ]; then
  grep -E -- "$only" "$work/all" >"$work/list" || { echo "no mutation matches" >&2; exit 2; }
elif [ "$sample" -gt 0 ]; then
  awk -v n="$sample" '{ line[NR] = $0 }
    END { for (i = 0; i < n && i < NR; ++i) print line[int((i + 0.5) * NR / n) + 1] }' \
    "$work/all" >"$work/list"
elif [ "$today" -gt 0 ]; then
  awk -v n="$today" -v day=$(($(date +%s) / 86400)) '{ line[NR] = $0 }
    END { for (i = 0; i < n && i < NR; ++i) print line[(day * n + i) % NR + 1] }' "$work/all" >"$work/list"
else
  cp "$work/all" "$work/list"
fi

# HEFT_SANITIZED: one copy of each kernel, and the short runs that tests make under a sanitizer.
build() { # <test>...
  targets=$(for name in "$@"; do printf 'test_%s ' "$name"; done)
  # shellcheck disable=SC2086
  cmake --build "$work/build" -j "$(nproc)" --target $targets >"$work/log" 2>&1
}
# shellcheck disable=SC2086
cmake -S "$work/tree" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=None $options \
  -DCMAKE_C_FLAGS="-O1 -w -DHEFT_SANITIZED=1" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
needed=$(cut -f 1 "$work/list" | tr ' ' '\n' | sort -u)
# shellcheck disable=SC2086
build $needed || { tail -n 30 "$work/log"; exit 1; }

# The first test that fails, or nothing.
killer() { # <test>...
  for name in "$@"; do
    if ! (cd "$work/tree" && timeout 120 "$work/build/bin/test_$name" >"$work/out" 2>&1); then
      echo "$name"
      return
    fi
  done
}
# shellcheck disable=SC2086
found=$(killer $needed)
[ -z "$found" ] || { cat "$work/out"; echo "mutate: $found fails without any mistake" >&2; exit 1; }

tab=$(printf '\t')
killed=0 survived=0 broken=0
while IFS="$tab" read -r tests line; do
  file=${line%% | *}
  rest=${line#* | }
  meaning=${rest##* | }
  expression=${rest% | *}
  cp "$work/tree/$file" "$work/original"
  perl -0pi -e "$expression" "$work/tree/$file"
  if cmp -s "$work/original" "$work/tree/$file"; then
    echo "DOES NOT APPLY  $file: $meaning"
    broken=$((broken + 1))
    continue
  fi
  # shellcheck disable=SC2086
  if build $tests; then
    # shellcheck disable=SC2086
    found=$(killer $tests)
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
  cp "$work/original" "$work/tree/$file"
done <"$work/list"
echo "$killed killed, $survived survived, $broken did not apply or build"
[ "$survived" -eq 0 ] && [ "$broken" -eq 0 ]
