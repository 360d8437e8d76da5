#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/check_symbols.sh notices names and imports that do not belong into a library.
. tests/tools/plant.sh

# library <name> <code> [linker argument...]
library() {
  name=$1
  printf '%s\n' "$2" >"$work/planted.c"
  shift 2
  "${CC:-cc}" -shared -fPIC -O1 "$work/planted.c" -o "$work/$name" "$@"
}

good='#include <string.h>
int heft_length(const char* s); int heft_length(const char* s) { return (int)strlen(s); }'
library libheft.so "$good"
passes "a core of libc and libm alone" tools/check_symbols.sh "$work/libheft.so"

library libheft.so "$good
int leak(void); int leak(void) { return 1; }"
fails "a name without heft_" 'exports leak,' tools/check_symbols.sh "$work/libheft.so"
library libheft_part.so "$good
int leak(void); int leak(void) { return 1; }"
fails "the same in another library" 'exports leak,' tools/check_symbols.sh "$work/libheft_part.so"

for call in 'sys/socket.h socket(0,0,0)' 'dlfcn.h dlopen(0,0)!=0' 'sys/mman.h mlockall(0)' 'unistd.h usleep(1)'; do
  function=${call#* }
  code="#define _GNU_SOURCE
#include <${call%% *}>
int heft_call(void); int heft_call(void) { return $function; }"
  library libheft.so "$code"
  fails "a core that calls ${function%%(*}" "imports ${function%%(*}," tools/check_symbols.sh "$work/libheft.so"
  library libheft_part.so "$code"
  passes "another library that calls ${function%%(*}" tools/check_symbols.sh "$work/libheft_part.so"
done

library libother.so 'int heft_other(void); int heft_other(void) { return 1; }'
library libheft.so "int heft_other(void);
int heft_call(void); int heft_call(void) { return heft_other(); }" "$work/libother.so"
fails "a core that needs another library" 'needs the library' tools/check_symbols.sh "$work/libheft.so"

fails "no library at all" 'cannot read' tools/check_symbols.sh "$work/nothing.so"
fresh_copy
echo 'socket' >>"$tree/tools/symbols.txt"
library libheft.so "$good"
fails "an exception without a reason" 'gives no reason' "$tree/tools/check_symbols.sh" "$work/libheft.so"

# A function without a user, one with users in its own file, and one that another file calls.
fresh_copy
objects=$work/build/x.dir/src/base
mkdir -p "$objects"
object() {
  printf '%s\n' "$2" >"$tree/src/base/$1"
  "${CC:-cc}" -c "$tree/src/base/$1" -o "$objects/$1.o"
}
object planted.c 'int planted(int x) { return x; }'
fails "a function without a user" 'planted has no user' "$tree/tools/check_symbols.sh" "$work/build"
object planted.c 'int planted(int x) { return x; }
static int twice(int x) { return planted(planted(x)); }
int (*volatile heft_hook)(int) = twice;'
fails "a function for its own file" 'planted has its users in this file' "$tree/tools/check_symbols.sh" "$work/build"
object caller.c 'int planted(int x); int (*volatile heft_caller)(int) = planted;'
passes "a function that another file calls" "$tree/tools/check_symbols.sh" "$work/build"

finish
