#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/check_abi.sh notices functions and fields that come, go or change, and nothing else.
set -eu

command -v abidiff >/dev/null || { echo "skipped: abidiff is not installed"; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo "skipped: not x86_64"; exit 77; }
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
bad=0

# library <header> <source>: makes libheft_toy.so of them.
library() {
  mkdir -p "$work/include"
  printf '%s\n' "$1" >"$work/include/toy.h"
  printf '#include "toy.h"\n%s\n' "$2" >"$work/toy.c"
  "${CC:-cc}" -g -shared -fPIC -fvisibility=hidden -Wl,-soname,libheft_toy.so.0.1 -I "$work/include" \
    "$work/toy.c" -o "$work/libheft_toy.so"
}

# expect pass|fail <what> <text> [option]: what the check answers.
expect() {
  code=pass
  sh "$root/tools/check_abi.sh" --stored "$work/stored" --headers "$work/include" ${4:-} \
    "$work/libheft_toy.so" >"$work/out" 2>&1 || code=fail
  if [ "$code" = "$1" ] && grep -qF -- "$3" "$work/out"; then
    echo "ok: $2"
  else
    echo "NOT ok: $2: $code, with:"
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
exit "$bad"
