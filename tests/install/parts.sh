#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds a user of one of the libraries beside the core against the installed Heft, and runs it.
# usage: parts.sh <build dir> <cmake> <cc> device|view-cmake-shared|cmake-static|pkgconfig-shared
set -eu

build=$1 cmake=$2 cc=$3 way=$4
. "$(dirname "$0")/common.sh"
part=${way%%-*} kind=${way##*-}
find "$prefix" -name "heft_$part.pc" | grep -q . || { echo "skipped: heft_$part is not installed"; exit 77; }
out=$work/$way
rm -rf "$out"
mkdir -p "$out"

case $way in
  *-cmake-*)
    suffix=
    [ "$kind" = static ] && suffix=_static
    logged "$out/log" configuring "$cmake" -S "$here/parts" -B "$out" -DCMAKE_C_COMPILER="$cc" \
      -DHEFT_PART="$part" -DHEFT_KIND="$suffix" -DCMAKE_PREFIX_PATH="$prefix" \
      -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
    logged "$out/log" building "$cmake" --build "$out"
    ;;
  *-pkgconfig-shared)
    command -v pkg-config >/dev/null || { echo "skipped: pkg-config is not installed"; exit 77; }
    PKG_CONFIG_PATH=$(libdir "$prefix")/pkgconfig
    export PKG_CONFIG_PATH
    # shellcheck disable=SC2046  # the flags are meant to be split
    logged "$out/log" building "$cc" "$here/parts/$part.c" -o "$out/part" \
      $(pkg-config --cflags --libs "heft_$part")
    ;;
  *) fail "unknown way" ;;
esac
check "$out/part" "$kind"
