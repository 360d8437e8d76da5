#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares the binary interface of the shared libraries with the description in tools/abi: functions,
# their parameters, structs, enums. docs/manual/compatibility.md says which changes are allowed when.
# Builds the libraries with debug information in build/abi, unless libraries are named.
# usage: check_abi.sh [--update] [--stored FOLDER] [--headers FOLDER] [LIBRARY.so...]
#   --update   store the interface as it is now; commit the result with the change that needs it
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
stored=$root/tools/abi headers=$root/include/heft update=0
while [ $# -gt 0 ]; do
  case $1 in
    --update) update=1 ;;
    --stored) stored=$2 && shift ;;
    --headers) headers=$2 && shift ;;
    -*) echo "check_abi: unknown option $1" >&2 && exit 2 ;;
    *) break ;;
  esac
  shift
done

command -v abidiff >/dev/null && command -v abidw >/dev/null || {
  echo "check_abi: abidiff is not installed (Debian: abigail-tools)" >&2
  exit 77
}
machine=$(uname -m)
[ "$machine" = x86_64 ] || { echo "abi: skipped: the description is of x86_64, this is $machine"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# build: prints the libraries, built without tests and programs.
build() {
  folder=$root/build/abi
  { cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Debug '-DCMAKE_C_FLAGS_DEBUG=-O0 -g' \
    -DHEFT_BUILD_TESTS=OFF -DHEFT_BUILD_APPS=OFF && cmake --build "$folder"; } >"$work/log" 2>&1 ||
    { cat "$work/log" >&2 && return 1; }
  find "$folder/lib" -name 'libheft*.so' | LC_ALL=C sort
}

# describe <library>: its interface as XML, without places in the source and without paths.
describe() {
  abidw --no-show-locs --no-corpus-path --no-comp-dir-path --no-parameter-names --no-elf-needed \
    --exported-interfaces-only --drop-undefined-syms --drop-private-types --headers-dir "$headers" \
    --no-write-default-sizes --type-id-style hash "$1" >"$work/now.abi"
}

# is_released <soname>: has a version with this name been released? A new minor version has a new one.
is_released() {
  version=${1##*.so.}
  [ -n "$(git -C "$root" tag -l "v$version.*" 2>/dev/null)" ]
}

# soname <description>
soname() {
  sed -nE "s/.*soname='([^']*)'.*/\1/p" "$1" | head -n 1
}

advise() {
  cat <<TEXT
abi: $1: the interface has changed as shown above.
  If this was not intended, take it back.
  If it was intended, read docs/manual/compatibility.md, add a line to CHANGELOG.md, then run
    tools/check_abi.sh --update
  and commit tools/abi with the change.
TEXT
}

# compare <library>: 0 same, 1 different, and says so. With --update the new description is stored.
compare() {
  name=$(basename "$1" .so)
  describe "$1" || { echo "abi: $name: abidw failed" && return 1; }
  file=$stored/$name.abi.gz
  if [ ! -f "$file" ]; then
    [ "$update" = 1 ] || { echo "abi: $name: no description; run tools/check_abi.sh --update" && return 1; }
    gzip -9n <"$work/now.abi" >"$file"
    echo "abi: $name: described"
    return 0
  fi
  gzip -dc "$file" >"$work/then.abi"
  code=0
  abidiff --no-show-locs "$work/then.abi" "$work/now.abi" >"$work/report" 2>&1 || code=$?
  [ $((code & 3)) -eq 0 ] || { cat "$work/report" && echo "abi: $name: abidiff failed" && return 1; }
  [ "$code" -ne 0 ] || return 0
  grep -v '^$' "$work/report"
  [ "$update" = 1 ] || { advise "$name" && return 1; }
  then=$(soname "$work/then.abi")
  if [ $((code & 8)) -ne 0 ] && [ "$then" = "$(soname "$work/now.abi")" ] && is_released "$then"; then
    echo "abi: $name: programs that use the released $then would break; raise HEFT_VERSION_MINOR in"
    echo "  include/heft/version.h (from 1.0 on HEFT_VERSION_MAJOR), then run this again"
    return 1
  fi
  gzip -9n <"$work/now.abi" >"$file"
  echo "abi: $name: description replaced"
}

if [ $# -eq 0 ]; then
  libraries=$(build)
  [ -n "$libraries" ] || { echo "abi: nothing was built"; exit 1; }
  # shellcheck disable=SC2086  # one word for each library
  set -- $libraries
fi
mkdir -p "$stored"
wrong=0
for library in "$@"; do compare "$library" || wrong=1; done
[ "$wrong" = 0 ] && echo "abi: $# libraries are as described"
exit "$wrong"
