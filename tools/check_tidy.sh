#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs clang-tidy, as .clang-tidy says, over the library and the applications.
# usage: check_tidy.sh [--full | --list] <build folder with compile_commands.json> [root of the tree]
# The analyzer follows paths through a function until it has seen a number of states. The short form stops
# at 10000 states, the full form, like clang-tidy on one file, at 225000, the default of clang. The short
# form takes a fourteenth of the time; in samples of files both reach 94 to 96 % of the blocks of the
# functions (clang --analyze with the checker debug.Stats). --list prints the files that are checked.
set -eu

limit="--extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=max-nodes=10000"
mode=
case ${1:-} in
  --full) limit= && shift ;;
  --list) mode=list && shift ;;
esac
[ $# -gt 0 ] || { echo "usage: check_tidy.sh [--full | --list] <build folder> [root of the tree]" >&2; exit 1; }
build=$(cd "$1" && pwd)
tools=$(cd "$(dirname "$0")" && pwd)
cd "${2:-$tools/..}"
command -v clang-tidy >/dev/null || { echo "check_tidy: clang-tidy is not installed" >&2; exit 1; }
[ -r "$build/compile_commands.json" ] ||
  { echo "check_tidy: there is no compile_commands.json in $build; configure it first" >&2; exit 1; }

# Sources of the Python module and of the node of ROS 2 include what the build makes. Where that fails, clang-tidy names the
# missing file.
for made in heft_python_sources ros2/messages.h; do
  [ "$mode" = list ] || cmake --build "$build" --target "$made" >/dev/null 2>&1 || true
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
# Only what is compiled: a file that is not built has no flags to be looked at with.
for folder in src apps/heft apps/sweep apps/queue apps/ros2 scenes python; do
  [ -d "$folder" ] && find "$PWD/$folder" -type f -name '*.c' -print
done | LC_ALL=C sort | while IFS= read -r file; do
  if grep -qF "\"$file\"" "$build/compile_commands.json"; then echo "$file"; fi
done >"$work/list"
[ -s "$work/list" ] || { echo "check_tidy: nothing to check in $build" >&2; exit 1; }
if [ "$mode" = list ]; then
  sed "s|^$PWD/||" "$work/list"
  exit
fi

jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
[ "$jobs" -gt 2 ] || jobs=2
# shellcheck disable=SC2086  # a list of options
if xargs -P "$jobs" -n 1 clang-tidy -quiet -p "$build" $limit <"$work/list" >"$work/output" 2>&1; then
  echo "tidy: clang-tidy has nothing to say about $(wc -l <"$work/list") files"
else
  grep -vE '^[0-9]+ warnings? (generated|treated)|^Suppressed |^Use -header-filter' "$work/output" || true
  exit 1
fi
