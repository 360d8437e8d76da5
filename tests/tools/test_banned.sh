#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/check_banned.sh passes on the tree, notices banned calls, and is not fooled by look-alikes.
. tests/tools/plant.sh

passes "the tree calls nothing banned" tools/check_banned.sh

# One room is enough to plant a call in; the whole tree takes seconds for each.
small_copy() {
  tree=$work/tree
  rm -rf "$tree"
  mkdir -p "$tree/src"
  cp -R "$repository/src/base" "$tree/src/base"
  cp -R "$repository/tools" "$tree/tools"
}

plant() {
  small_copy
  printf '%s\n' "$3" >"$tree/src/base/planted.c"
  fails "$1" "src/base/planted.c:1: $2() is banned" tools/check_banned.sh "$tree"
}
plant "printing" printf 'void f(void) { printf("hello"); }'
plant "allocating" malloc 'void* f(void) { return malloc (8); }'
plant "transcendental functions" atan2 'double f(double y, double x) { return atan2(y, x); }'
plant "after a string with quotes" exit 'void f(void) { g("\"// no comment"); exit(1); }'
plant "after a comment" rand '/* a */ int f(void) { return rand(); }'

small_copy
cat >"$tree/src/base/planted.c" <<'END'
// printf("in a comment") and malloc(1)
/* free(p)
   exit(2) */
const char* f(struct A* a) {
  a->free(a->heap, a->pointer);
  a->table.malloc(a->heap, 8);
  heft_sin(1.0); my_exit(3); sqrt(2.0);
  return "sin(x) and abort()";
}
END
passes "comments, strings, members and longer names" tools/check_banned.sh "$tree"

printf 'void f(void) { exit(1); }\n' >"$tree/src/base/planted.c"
printf 'src/base/planted.c exit it is only a test\n' >>"$tree/tools/banned_allow.txt"
passes "an exception with a reason" tools/check_banned.sh "$tree"
printf 'src/base/planted.c exit\n' >"$tree/tools/banned_allow.txt"
fails "an exception without a reason" 'gives no reason' tools/check_banned.sh "$tree"

cd "$work"
cat >pointer.c <<'END'
#include <stdlib.h>
typedef void* (*Get)(size_t);
Get get(void);
Get get(void) { return malloc; }
END
"${CC:-cc}" -c pointer.c -o pointer.c.o
ar rc libpointer.a pointer.c.o
cd "$repository"
fails "what a function pointer hides" 'object of pointer.c: malloc() is banned' \
  tools/check_banned.sh "$repository" "$work/libpointer.a"

finish
