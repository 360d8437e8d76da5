#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tries the mistakes of tests/dynamics/mutations.txt, one at a time, in a copy of the tree, and wants a
# test to fail for each. All of them take about a quarter of an hour:
#     tools/mutate.sh
# usage: mutate.sh [--sample N] [--only PATTERN]
#     --sample N        N of them, spread over the list
#     --only PATTERN    those whose line matches
# Exits with 1 if one survives, does not apply or does not compile.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
sample=0 only=
while [ $# -gt 0 ]; do
  case $1 in
    --sample) sample=$2 ;;
    --only) only=$2 ;;
    *) echo "usage: mutate.sh [--sample N] [--only PATTERN]" >&2; exit 2 ;;
  esac
  shift 2
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
mkdir "$work/tree"
for part in CMakeLists.txt cmake include src scenes tests tools bench examples docs validation experiments apps models; do
  cp -R "$root/$part" "$work/tree/$part"
done

grep -vE '^(#|equivalent:|[[:space:]]*$)' "$root/tests/dynamics/mutations.txt" >"$work/all"
if [ -n "$only" ]; then
  grep -E -- "$only" "$work/all" >"$work/list" || { echo "no mutation matches" >&2; exit 2; }
elif [ "$sample" -gt 0 ]; then
  awk -v n="$sample" '{ line[NR] = $0 }
    END { for (i = 0; i < n && i < NR; ++i) print line[int((i + 0.5) * NR / n) + 1] }' \
    "$work/all" >"$work/list"
else
  cp "$work/all" "$work/list"
fi

# HEFT_SANITIZED: one copy of each kernel, and the short runs that tests make under a sanitizer.
tests="dynamics_poses dynamics_identities dynamics_gravity dynamics_factor world_conservation world_analytic world_world world_contact"
targets=$(for name in $tests; do printf 'test_%s ' "$name"; done)
build() {
  # shellcheck disable=SC2086
  cmake --build "$work/build" -j "$(nproc)" --target $targets >"$work/log" 2>&1
}
cmake -S "$work/tree" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=None -DHEFT_BUILD_APPS=OFF \
  -DCMAKE_C_FLAGS="-O1 -w -DHEFT_SANITIZED=1" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
build || { tail -n 30 "$work/log"; exit 1; }

# The first test that fails, or nothing.
killer() {
  for name in $tests; do
    if ! (cd "$work/tree" && timeout 120 "$work/build/bin/test_$name" >"$work/out" 2>&1); then
      echo "$name"
      return
    fi
  done
}
found=$(killer)
[ -z "$found" ] || { cat "$work/out"; echo "mutate: $found fails without any mistake" >&2; exit 1; }

killed=0 survived=0 broken=0
while IFS= read -r line; do
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
  if build; then
    found=$(killer)
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
