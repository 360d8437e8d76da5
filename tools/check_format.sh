#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that the code is formatted as .clang-format says; with --fix, formats it. The formatter leaves
# comments alone, so that tables and formulas in them survive; their lines must fit into 100 columns.
# usage: check_format.sh [--fix] [root of the tree]
set -eu

mode=check
if [ "${1:-}" = --fix ]; then
  mode=fix
  shift
fi
tools=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$tools/..}"
command -v clang-format >/dev/null || { echo "check_format: clang-format is not installed" >&2; exit 1; }

list=$(mktemp)
trap 'rm -f "$list"' EXIT INT TERM
for folder in include src apps experiments bench examples scenes validation python batch tests; do
  if [ -d "$folder" ]; then
    find "$folder" -type f \( -name '*.c' -o -name '*.h' -o -name '*.cc' -o -name '*.cpp' \) -print
  fi
done | LC_ALL=C sort >"$list"
[ -s "$list" ] || { echo "check_format: nothing to check" >&2; exit 1; }

if [ "$mode" = fix ]; then
  xargs clang-format -i --style=file <"$list"
  echo "format: $(wc -l <"$list") files formatted"
elif ! xargs clang-format --dry-run -Werror --style=file <"$list"; then
  echo "format: run tools/check_format.sh --fix"
  exit 1
fi

# A character is counted by its first byte; combining accents take no column.
if ! LC_ALL=C xargs awk '
  /^ *\/\// {
    text = $0
    gsub(/\314[\200-\277]|\315[\200-\257]/, "", text)
    gsub(/[\200-\277]/, "", text)
    if (length(text) > 100) { print FILENAME ":" FNR ": comment of " length(text) " columns"; long = 1 }
  }
  END { exit long }' <"$list"; then
  echo "format: break the comments above by hand; lines hold 100 columns"
  exit 1
fi
[ "$mode" = fix ] || echo "format: $(wc -l <"$list") files are as clang-format wants them"
