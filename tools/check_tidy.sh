#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs clang-tidy, as .clang-tidy says, over the library and the applications.
# usage: check_tidy.sh <build folder with compile_commands.json> [root of the tree]
set -eu

[ $# -gt 0 ] || { echo "usage: check_tidy.sh <build folder> [root of the tree]" >&2; exit 1; }
build=$(cd "$1" && pwd)
tools=$(cd "$(dirname "$0")" && pwd)
cd "${2:-$tools/..}"
command -v clang-tidy >/dev/null || { echo "check_tidy: clang-tidy is not installed" >&2; exit 1; }
[ -r "$build/compile_commands.json" ] ||
  { echo "check_tidy: there is no compile_commands.json in $build; configure it first" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
# Only what is compiled: a file that is not built has no flags to be looked at with.
for folder in src apps/heft scenes python; do
  [ -d "$folder" ] && find "$PWD/$folder" -type f -name '*.c' -print
done | LC_ALL=C sort | while IFS= read -r file; do
  if grep -qF "\"$file\"" "$build/compile_commands.json"; then echo "$file"; fi
done >"$work/list"
[ -s "$work/list" ] || { echo "check_tidy: nothing to check in $build" >&2; exit 1; }

jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
[ "$jobs" -gt 2 ] || jobs=2
if xargs -P "$jobs" -n 1 clang-tidy -quiet -p "$build" <"$work/list" >"$work/output" 2>&1; then
  echo "tidy: clang-tidy has nothing to say about $(wc -l <"$work/list") files"
else
  grep -vE '^[0-9]+ warnings? (generated|treated)|^Suppressed |^Use -header-filter' "$work/output" || true
  exit 1
fi
