// SPDX-License-Identifier: Apache-2.0
// What clang 16 calls for setjmp and longjmp with -mllvm -wasm-enable-sjlj (pass
// WebAssemblyLowerEmscriptenEHSjLj of LLVM, whose head describes the scheme). libpng, qhull and cmocka jump.
//
// A function that calls setjmp keeps a table of its calls: the mark that this call left in the jmp_buf, and the
// label to go on at. longjmp throws a WebAssembly exception with (jmp_buf, value); the function catches it, looks
// the mark up in its table, and goes on at the label or throws again. A jmp_buf that is set again gets a new mark.
// The table begins with room for four calls, belongs to the function, and is released by it.
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct Call {
  uint32_t mark;  ///< 0: end of the table
  uint32_t label;
} Call;

typedef struct Jump {
  void* environment;
  int value;
} Jump;

enum { TAG_LONGJMP = 1 };  // the second tag of the scheme; the first is that of C++

// One instance of a module has one thread.
static uint32_t last_mark;
static int second_result;
static Jump jump;

// The second result of saveSetjmp, the size of the table.
void setTempRet0(int value);
void setTempRet0(int value) { second_result = value; }
int getTempRet0(void);
int getTempRet0(void) { return second_result; }

Call* saveSetjmp(uint32_t* environment, uint32_t label, Call* table, uint32_t size);
Call* saveSetjmp(uint32_t* environment, uint32_t label, Call* table, uint32_t size) {
  uint32_t i = 0;
  while (i < size && table[i].mark) ++i;
  if (i == size) {
    size *= 2;
    table = realloc(table, sizeof(Call) * (size + 1));
    if (!table) abort();
  }
  *environment = ++last_mark;
  table[i] = (Call){last_mark, label};
  table[i + 1].mark = 0;
  second_result = (int)size;
  return table;
}

uint32_t testSetjmp(uintptr_t mark, const Call* table, uint32_t size);
uint32_t testSetjmp(uintptr_t mark, const Call* table, uint32_t size) {
  for (uint32_t i = 0; i < size && table[i].mark; ++i) {
    if (table[i].mark == mark) return table[i].label;
  }
  return 0;
}

_Noreturn void __wasm_longjmp(void* environment, int value);
_Noreturn void __wasm_longjmp(void* environment, int value) {
  jump = (Jump){environment, value ? value : 1};
  __builtin_wasm_throw(TAG_LONGJMP, &jump);
}
