#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds a program of the documents exactly as the documents tell a user to build it, against an
# installed Heft, and runs it. Program and recipes are read from the pages:
#   program     the first ```c block with a main(), else the first examples/*.c that the page links to
#   CMake       the first ```cmake block
#   pkg-config  the first line that calls cc and pkg-config
# A recipe that names a source or a target that the page does not make gets it as my_program.c,
# my_program. For static libraries targets become *_static, and pkg-config is asked for --static.
# usage: recipes.sh <build dir> <cmake> <cc> <name>-cmake-shared|...-static|<name>-pkgconfig-shared|...
#        <page with the program> <page with the recipes>
set -eu

build=$1 cmake=$2 cc=$3 way=$4 program_page=$5 recipe_page=$6
. "$(dirname "$0")/common.sh"
kind=${way##*-}
out=$work/$way
rm -rf "$out"
mkdir -p "$out"
ln -s "$root/scenes" "$root/models" "$out/"

# block <page> <language> <pattern>: the first block of that language with a line that matches.
block() {
  awk -v start="^[ ]*\`\`\`$2\$" -v pattern="$3" '
    $0 ~ start { inside = 1; text = ""; hit = 0; next }
    inside && /^[ ]*```$/ { inside = 0; if (hit) { printf "%s", text; exit } }
    inside { text = text $0 "\n"; if ($0 ~ pattern) hit = 1 }' "$1"
}

block "$program_page" c '(^|[^a-z_])main[(]' >"$out/my_program.c"
if [ ! -s "$out/my_program.c" ]; then
  example=$(grep -oE 'examples/[a-z_]+\.c' "$program_page" | head -n 1)
  [ -n "$example" ] || fail "$program_page shows no program and links to none"
  cp "$root/$example" "$out/my_program.c"
fi

# by_cmake: the recipe with what a project has around it, unless it has that itself.
by_cmake() {
  block "$recipe_page" cmake 'find_package[(]' >"$out/recipe"
  [ -s "$out/recipe" ] || fail "$recipe_page has no cmake block with find_package()"
  name=$(sed -nE 's/^ *target_link_libraries\( *([a-z_]+).*/\1/p' "$out/recipe" | head -n 1)
  [ -n "$name" ] || fail "the cmake block of $recipe_page links nothing"
  kinds='s/#.*//'
  [ "$kind" = static ] && kinds="$kinds; s/heft::([a-z]+)/heft::\\1_static/g"
  sed -E "$kinds" "$out/recipe" >"$out/plain"
  {
    grep -q 'project *(' "$out/plain" ||
      printf 'cmake_minimum_required(VERSION 3.16)\nproject(%s LANGUAGES C)\n' "$name"
    grep -q 'add_executable *(' "$out/plain" || echo "add_executable($name my_program.c)"
    cat "$out/plain"
  } >"$out/CMakeLists.txt"
  source=$(sed -nE 's/^ *add_executable\([^ ]+ ([a-z_]+\.c).*/\1/p' "$out/CMakeLists.txt")
  [ "$source" = my_program.c ] || mv "$out/my_program.c" "$out/$source"
  logged "$out/log" configuring "$cmake" -S "$out" -B "$out/build" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
  logged "$out/log" building "$cmake" --build "$out/build" --verbose
  program=$out/build/$name
}

# by_pkgconfig: the line itself, run by the shell, with "cc" the compiler under test.
by_pkgconfig() {
  command -v pkg-config >/dev/null || { echo "skipped: pkg-config is not installed"; exit 77; }
  line=$(grep -hE '^ *(\$ )?cc .*pkg-config' "$recipe_page" | head -n 1 | sed -E 's/^ *(\$ )?//')
  [ -n "$line" ] || fail "$recipe_page has no line that calls cc and pkg-config"
  from=$prefix
  if [ "$kind" = static ]; then
    from=$work/static
    line=$(echo "$line" | sed 's/pkg-config /pkg-config --static /')
  fi
  source=$(echo "$line" | grep -oE '[a-z_]+\.c' | head -n 1)
  [ "$source" = my_program.c ] || mv "$out/my_program.c" "$out/$source"
  mkdir "$out/bin"
  ln -s "$(command -v "$cc")" "$out/bin/cc"
  logged "$out/log" "building by \"$line\"" env PATH="$out/bin:$PATH" \
    PKG_CONFIG_PATH="$(libdir "$from")/pkgconfig" sh -euc "cd '$out' && $line"
  name=$(echo "$line" | sed -nE 's/.* -o +([a-z_]+).*/\1/p')
  program=$out/${name:-a.out}
}

case $way in
  *-cmake-*) by_cmake ;;
  *-pkgconfig-*) by_pkgconfig ;;
  *) fail "unknown way" ;;
esac
cd "$out"
check "$program" "$kind"
