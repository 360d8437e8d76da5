# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# For the tests that use an installed Heft. Sourced, with $build and $way set; install/prefix has filled
# $prefix.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$build/install-test
prefix=$work/moved

fail() {
  echo "install/$way: $*" >&2
  exit 1
}

# libdir <prefix>: where its libraries are (lib, lib64, lib/<triplet>...).
libdir() {
  dirname "$(find "$1" -name 'libheft.a' -print | head -n 1)"
}

# Does the program $1 load a shared library of Heft at run time?
loads_heft() {
  readelf -d "$1" 2>/dev/null | grep -qE 'NEEDED.*libheft(_[a-z]+)?\.so'
}

# check <program> shared|static: the program uses that kind of library, and runs without an error.
check() {
  case $2 in
    shared)
      loads_heft "$1" || fail "$1 does not use the shared library"
      LD_LIBRARY_PATH=$(libdir "$prefix") "$1" || fail "$1 failed"
      ;;
    static)
      loads_heft "$1" && fail "$1 uses the shared library"
      env -u LD_LIBRARY_PATH "$1" || fail "$1 failed"
      ;;
  esac
}

# logged <log> <what> <command...>: the output is shown only where the command fails.
logged() {
  log=$1 what=$2
  shift 2
  "$@" >"$log" 2>&1 || {
    cat "$log"
    fail "$what failed"
  }
}
