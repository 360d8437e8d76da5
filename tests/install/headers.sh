#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles the installed headers, and a program that uses them, with a user's warnings as errors: in C and in C++, by every compiler
# that is there. Each header alone by the first compiler of a language; whether one lacks another does not depend on the compiler.
# usage: headers.sh <build dir> headers
set -eu

build=$1 way=$2
. "$(dirname "$0")/common.sh"
out=$work/$way
rm -rf "$out"
mkdir -p "$out"
count=0

# quiet <compiler> <language> <standard> <file>: it compiles without a warning.
quiet() {
  "$1" -x "$2" "-std=$3" -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion -Werror \
    -I "$prefix/include" -c "$4" -o "$out/object" >"$out/log" 2>&1 || {
    cat "$out/log"
    fail "$1 -std=$3 warns of $(head -n 1 "$4")"
  }
  count=$((count + 1))
}

# all_of <compiler> <language> <standards>: the headers and the program.
all_of() {
  command -v "$1" >/dev/null || return 0
  compilers="$compilers $1"
  for standard in $3; do
    : >"$out/all"
    for header in "$prefix"/include/heft/*.h; do
      printf "#include <heft/%s>\nextern int user;\n" "${header##*/}" >"$out/alone"
      cat "$out/alone" >>"$out/all"
      case $tried in *" $2 "*) ;; *) quiet "$1" "$2" "$standard" "$out/alone" ;; esac
    done
    tried="$tried $2 "
    quiet "$1" "$2" "$standard" "$out/all"
    quiet "$1" "$2" "$standard" "$here/consumer/user.c"
  done
}

compilers= tried=
all_of gcc c 'c99 c17'
all_of clang c 'c99 c17'
all_of g++ c++ 'c++11 c++20'
all_of clang++ c++ 'c++11 c++20'
[ "$count" -gt 0 ] || { echo "skipped: no compiler of a known name"; exit 77; }

# The check itself notices a header that warns.
echo 'static inline int cut(double x) { return x; }' >"$out/bad"
for compiler in $compilers; do
  if "$compiler" -x c -Wconversion -Werror -c "$out/bad" -o "$out/object" 2>/dev/null; then
    fail "$compiler does not notice a conversion"
  fi
done
echo "headers: $count compilations without a warning by$compilers"
