#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares the binary interface of the shared libraries with the description in tools/abi: functions,
# their parameters, structs, enums. docs/manual/compatibility.md says which changes are allowed when.
# tools/abi/released holds the interface of the last release. A library with the SONAME of that release may add functions
# to it; a function that is gone, another field or another value of an enum breaks programs and fails. With another SONAME a function
# may go; CHANGELOG.md has its name.
# Builds the libraries with debug information in build/abi, unless libraries are named.
# usage: check_abi.sh [--update | --report | --release VERSION] [--stored FOLDER] [--headers FOLDER] [LIBRARY.so...]
#   --update           store the interface as it is now; commit the result with the change that needs it
#   --report           print what differs from the last release; fails if programs of that release would break
#   --release VERSION  keep the stored interface as that of the last release; builds nothing
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
stored=$root/tools/abi headers=$root/include/heft update=0 report=0 release=
while [ $# -gt 0 ]; do
  case $1 in
    --update) update=1 ;;
    --report) report=1 ;;
    --release) release=${2:?the version that was released} && shift ;;
    --stored) stored=$2 && shift ;;
    --headers) headers=$2 && shift ;;
    -*) echo "check_abi: unknown option $1" >&2 && exit 2 ;;
    *) break ;;
  esac
  shift
done

if [ -n "$release" ]; then
  mkdir -p "$stored/released"
  rm -f "$stored"/released/*.abi.gz
  cp "$stored"/*.abi.gz "$stored/released/"
  echo "$release" >"$stored/released/VERSION"
  echo "abi: the stored interface is that of release $release; commit $stored/released"
  exit
fi

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

# soname <description>
soname() {
  sed -nE "s/.*soname='([^']*)'.*/\1/p" "$1" | head -n 1
}

# released <name>: unpacks the description of the last release as released.abi; false if there is none.
released() {
  [ -f "$stored/released/$1.abi.gz" ] && gzip -dc "$stored/released/$1.abi.gz" >"$work/released.abi"
}

# breaks <name>: would a program of the last release that loads this library break? New functions do not count. If it would, the
# reasons are in the file breaks. Another SONAME breaks nothing: the loader keeps the two apart.
breaks() {
  released "$1" && [ "$(soname "$work/released.abi")" = "$(soname "$work/now.abi")" ] || return 1
  ! abidiff --no-show-locs --no-added-syms "$work/released.abi" "$work/now.abi" >"$work/breaks" 2>&1
}

refuse() {
  grep -v '^$' "$work/breaks"
  cat <<TEXT
abi: $1: programs of release $(cat "$stored/released/VERSION") that use $(soname "$work/now.abi") would break by the changes above.
  Take them back, or raise HEFT_VERSION_MINOR in include/heft/version.h (from 1.0 on HEFT_VERSION_MAJOR), then run this again.
TEXT
}

# report <library>: what differs from the last release
report() {
  name=$(basename "$1" .so)
  describe "$1" || { echo "abi: $name: abidw failed" && return 1; }
  released "$name" || { printf '%s\n\nThis library is new.\n\n' "## $name" && return 0; }
  printf '%s\n\n%s, was %s\n\n' "## $name" "$(soname "$work/now.abi")" "$(soname "$work/released.abi")"
  code=0
  abidiff --no-show-locs "$work/released.abi" "$work/now.abi" >"$work/report" 2>&1 || code=$?
  [ $((code & 3)) -eq 0 ] || { cat "$work/report" && echo "abi: $name: abidiff failed" && return 1; }
  if [ -s "$work/report" ]; then sed 's/^/    /; s/ *$//' "$work/report"; else echo "No difference."; fi
  echo
  if breaks "$name"; then refuse "$name" && return 1; fi
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
  if breaks "$name"; then refuse "$name" && return 1; fi
  [ "$code" -ne 0 ] || return 0
  grep -v '^$' "$work/report"
  [ "$update" = 1 ] || { advise "$name" && return 1; }
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
if [ "$report" = 1 ]; then
  [ -f "$stored/released/VERSION" ] || { echo "abi: $stored/released has no release to compare with" >&2; exit 1; }
  printf '# Binary interface against release %s\n\n' "$(cat "$stored/released/VERSION")"
  for library in "$@"; do report "$library" || wrong=1; done
  exit "$wrong"
fi
for library in "$@"; do compare "$library" || wrong=1; done
functions() {
  gzip -dc "$1"/*.abi.gz 2>/dev/null | sed -nE "s/.*elf-symbol name='(heft_[^']*)'.*/\1/p" | sort -u
}
functions "$stored/released" >"$work/then"
functions "$stored" >"$work/now"
for name in $(comm -23 "$work/then" "$work/now"); do
  grep -qw "$name" "$root/CHANGELOG.md" || { echo "abi: $name() is gone since the last release: name it in CHANGELOG.md" && wrong=1; }
done
[ "$wrong" = 0 ] && echo "abi: $# libraries are as described"
exit "$wrong"
