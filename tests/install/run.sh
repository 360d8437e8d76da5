#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the build into a prefix of its own, or builds and runs a program against that prefix.
# usage: run.sh <build dir> <cmake> <cc> prefix|cmake-shared|cmake-static|pkgconfig-shared|pkgconfig-static
set -eu

build=$1 cmake=$2 cc=$3 way=$4
. "$(dirname "$0")/common.sh"

case $way in
  prefix)
    # Installed in one place and moved to another: no path of the first may be left inside.
    rm -rf "$work"
    DESTDIR='' "$cmake" --install "$build" --prefix "$work/first" >/dev/null
    mv "$work/first" "$prefix"
    [ -f "$prefix/include/heft/heft.h" ] || fail "heft.h was not installed"
    if grep -rlF -e "$work/first" -e "$build/lib" "$prefix" --include='*.cmake' --include='*.pc'; then
      fail "the files above hold the path of the build or of the first prefix"
    fi
    # The same without shared libraries, for programs that ask pkg-config for --static.
    cp -R "$prefix" "$work/static"
    find "$work/static" \( -name 'libheft*.so' -o -name 'libheft*.so.*' \) -exec rm {} +
    ;;
  cmake-shared | cmake-static)
    kind=${way#cmake-}
    target=heft::heft
    [ "$kind" = static ] && target=heft::heft_static
    out=$work/$way
    version=$(awk '/^#define HEFT_VERSION_M|^#define HEFT_VERSION_P/ { v = v dot $3; dot = "." } END { print v }' \
      "$prefix/include/heft/version.h")
    rm -rf "$out"
    logged "$work/$way.log" configuring \
      "$cmake" -S "$here/consumer" -B "$out" -DCMAKE_C_COMPILER="$cc" -DHEFT_TARGET="$target" \
      -DHEFT_VERSION="$version" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
    logged "$work/$way.log" building "$cmake" --build "$out"
    check "$out/consumer" "$kind"
    ;;
  pkgconfig-shared | pkgconfig-static)
    command -v pkg-config >/dev/null || { echo "skipped: pkg-config is not installed"; exit 77; }
    kind=${way#pkgconfig-}
    PKG_CONFIG_PATH=$(libdir "$prefix")/pkgconfig
    export PKG_CONFIG_PATH
    options=
    [ "$kind" = static ] && options=--static
    link=
    [ "$kind" = static ] && link=-static
    # shellcheck disable=SC2046,SC2086  # the flags are meant to be split
    "$cc" $link "$here/consumer/main.c" -o "$work/$way" \
      $(pkg-config $options --cflags --libs heft) || fail "building failed"
    check "$work/$way" "$kind"
    ;;
  *) fail "unknown way" ;;
esac
