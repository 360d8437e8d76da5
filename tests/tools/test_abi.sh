#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/check_abi.sh notices functions and fields that come, go or change, and nothing else. After a release it lets functions come
# and refuses changes that break programs, until the SONAME is another one.
set -eu

command -v abidiff >/dev/null || { echo "skipped: abidiff is not installed"; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo "skipped: not x86_64"; exit 77; }
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
bad=0

# library <header> <source> [version]: makes libheft_toy.so of them.
library() {
  mkdir -p "$work/include"
  printf '%s\n' "$1" >"$work/include/toy.h"
  printf '#include "toy.h"\n%s\n' "$2" >"$work/toy.c"
  "${CC:-cc}" -g -shared -fPIC -fvisibility=hidden -Wl,-soname,"libheft_toy.so.${3:-0.1}" -I "$work/include" \
    "$work/toy.c" -o "$work/libheft_toy.so"
}

# expect pass|fail <what> <text> [option...]: what the check answers.
expect() {
  wanted=$1 what=$2 text=$3 code=pass
  shift 3
  sh "$root/tools/check_abi.sh" --stored "$work/stored" --headers "$work/include" "$@" \
    "$work/libheft_toy.so" >"$work/out" 2>&1 || code=fail
  if [ "$code" = "$wanted" ] && grep -qF -- "$text" "$work/out"; then
    echo "ok: $what"
  else
    echo "NOT ok: $what: $code, with:"
    cat "$work/out"
    bad=1
  fi
}

show='#define SHOW __attribute__((visibility("default")))'
struct='struct Toy { int size; double mass; };'
header="$show
$struct
SHOW double toy_mass(const struct Toy* toy);"
source='double toy_mass(const struct Toy* toy) { return toy->mass; }'

library "$header" "$source"
expect fail "a library without a description" "no description"
expect pass "it is described" "described" --update
expect pass "the same library" "are as described"
library "$header" "struct Inner { int a; }; static int inner(struct Inner i) { return i.a; }
double toy_mass(const struct Toy* toy) { struct Inner i = {2}; return inner(i) * toy->mass; }"
expect pass "another inside" "are as described"
library "$header
SHOW int toy_size(const struct Toy* toy);" "$source
int toy_size(const struct Toy* toy) { return toy->size; }"
expect fail "a function more" "check_abi.sh --update"
library "$show
struct Toy { int size; int colour; double mass, length; };
SHOW double toy_mass(const struct Toy* toy);" "$source"
expect fail "a field more" "type size changed"
library "$show
$struct
SHOW float toy_mass(const struct Toy* toy);" "float toy_mass(const struct Toy* toy) { return (float)toy->mass; }"
expect fail "another result" "check_abi.sh --update"
library "$show
$struct
SHOW double toy_weight(const struct Toy* toy);" "double toy_weight(const struct Toy* toy) { return toy->mass; }"
expect fail "a function that is gone" "Removed"
expect pass "all that is wanted after all" "description replaced" --update
expect pass "and is the same from now on" "are as described"

# released pass|fail <what> <text>: a library that comes after a release, for all ways in which the check is used. A break is refused
# by --update and by --report, and is refused still where somebody replaced the description by hand.
released() {
  rm -rf "$work/stored" && cp -R "$work/first" "$work/stored"
  expect "$1" "$2, stored" "$3" --update
  rm -rf "$work/stored" && cp -R "$work/first" "$work/stored"
  expect "$1" "$2, reported" "${4:-$3}" --report
  rm -f "$work/stored"/*.gz && mv "$work/stored/released" "$work/kept"
  expect pass "$2, stored by hand" "described" --update
  mv "$work/kept" "$work/stored/released"
  [ "$1" = pass ] || expect fail "$2, stored by hand and checked" "would break"
}

enum='enum Kind { KIND_BOX, KIND_BALL };'
header="$show
$struct
$enum
SHOW double toy_mass(const struct Toy* toy, enum Kind kind);
SHOW int toy_size(const struct Toy* toy);"
mass='double toy_mass(const struct Toy* toy, enum Kind kind) { return kind == KIND_BOX ? toy->mass : 0; }'
size='int toy_size(const struct Toy* toy) { return toy->size; }'
rm -rf "$work/stored"
library "$header" "$mass $size"
expect pass "a library is described" "described" --update
expect pass "and released" "that of release 0.1.0" --release 0.1.0
expect pass "nothing has changed since" "No difference" --report
mv "$work/stored" "$work/first"
library "$header
SHOW int toy_colour(void);" "$mass $size
int toy_colour(void) { return 3; }"
released pass "a function more" "description replaced" "1 Added function"
library "$(echo "$header" | grep -v toy_size)" "$mass"
released fail "a function less" "would break"
library "$(echo "$header" | sed 's/int size; double/int size; float colour, length; double/')" "$mass $size"
released fail "a field in the middle" "would break"
library "$(echo "$header" | sed 's/double mass;/double mass, length;/')" "$mass $size"
released fail "a field at the end" "would break"
library "$(echo "$header" | sed 's/KIND_BOX,/KIND_BOX = 4,/')" "$mass $size"
released fail "another value of an enum" "would break"
library "$(echo "$header" | grep -v toy_size)" "$mass" 0.2
released pass "a function less in a new minor version" "description replaced" "libheft_toy.so.0.2, was libheft_toy.so.0.1"

# A function of the last release that is gone is in CHANGELOG.md.
rm -rf "$work/stored"
library "$header
SHOW int heft_toy_gone(void);" "$mass $size
int heft_toy_gone(void) { return 3; }"
expect pass "a function of Heft is described" "described" --update
expect pass "and released too" "that of release 0.1.0" --release 0.1.0
library "$header" "$mass $size" 0.2
expect fail "it is gone, and nobody wrote so" "heft_toy_gone() is gone since the last release" --update
exit "$bad"
