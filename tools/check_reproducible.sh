#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds and installs Heft twice, in folders of different names and lengths and in two time zones, and compares every installed
# file. Takes some minutes.
# usage: check_reproducible.sh
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
jobs=$(nproc 2>/dev/null || echo 2)
unset CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER  # a cache would give back the first build

# one <folder> <time zone>
one() {
  git clone -q "$root" "$work/$1"
  (cd "$work/$1" && export TZ="$2" && cmake --preset release -DHEFT_BUILD_TESTS=OFF >/dev/null &&
    cmake --build --preset release -j "$jobs" >/dev/null &&
    cmake --install build/release --prefix "$work/installed/$3" >/dev/null)
}
one a UTC 1
one another/folder Asia/Kolkata 2
if diff -r "$work/installed/1" "$work/installed/2"; then
  echo "reproducible: $(find "$work/installed/1" -type f | wc -l) installed files are the same"
else
  echo "reproducible: the files above differ"
  exit 1
fi
