#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/check_globals.sh notices each kind of writable variable and lets constants pass.
. tests/tools/plant.sh

# object <flags> <code>
object() {
  printf '%s\n' "$2" >"$work/planted.c"
  # shellcheck disable=SC2086  # flags are a list
  "${CC:-cc}" $1 -c "$work/planted.c" -o "$work/planted.o"
}
for flags in "-O0" "-O2 -fPIC"; do
  object "$flags" 'int hidden_counter = 1; int f(void); int f(void) { return ++hidden_counter; }'
  fails "a global ($flags)" '"hidden_counter"' tools/check_globals.sh "$work/planted.o"
  object "$flags" 'static int seen; int f(void); int f(void) { return ++seen; }'
  fails "a static ($flags)" '"seen"' tools/check_globals.sh "$work/planted.o"
  object "$flags" 'int f(void); int f(void) { static int calls; return ++calls; }'
  fails "a static inside a function ($flags)" 'calls' tools/check_globals.sh "$work/planted.o"
  object "$flags -fcommon" 'int tentative; int f(void); int f(void) { return ++tentative; }'
  fails "a tentative definition ($flags)" '"tentative"' tools/check_globals.sh "$work/planted.o"
  object "$flags" 'static _Thread_local int mine; int f(void); int f(void) { return ++mine; }'
  fails "a variable per thread ($flags)" '"mine"' tools/check_globals.sh "$work/planted.o"
  object "$flags" 'static const char* const names[] = {"a", "b"}; static const double table[] = {1, 2};
    const char* f(int i); const char* f(int i) { return table[i] > 1 ? names[i] : names[0]; }'
  passes "constants, and constant pointers ($flags)" tools/check_globals.sh "$work/planted.o"
done

fresh_copy
object -O2 'int hook; int f(void); int f(void) { return ++hook; }'
printf 'hook it is only a test\n' >>"$tree/tools/globals.txt"
passes "an exception with a reason" "$tree/tools/check_globals.sh" "$work/planted.o"
fails "no object at all" 'cannot read' tools/check_globals.sh "$work/nothing.o"

finish
