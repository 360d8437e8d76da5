// SPDX-License-Identifier: Apache-2.0
// A reader's context on its own, for tests of the parts of a reader: text as a file, the mistake
// and the warnings that a part leaves behind.
#ifndef HEFT_TESTS_IO_READER_H
#define HEFT_TESTS_IO_READER_H

#include <string.h>

#include "io/context.h"
#include "support/check.h"

typedef struct Reader {
  HeftLoadDef def;
  HeftError error;
  Load load;
  SourceFile file;
} Reader;

/// Begins a load of `size` bytes at text under the name `path`. reader_close() releases it.
static inline void reader_open_bytes(Reader* r, const char* path, const void* text, size_t size) {
  *r = (Reader){.def = heft_load_def_default(), .file = {.path = path, .text = text, .size = size}};
  load_open(&r->load, &r->def, &r->error);
  assert_int_equal(heft_builder_create(&r->load.builder, &r->load.allocator, NULL), HEFT_OK);
}

static inline void reader_open(Reader* r, const char* path, const char* text) {
  reader_open_bytes(r, path, text, strlen(text));
}

static inline Place reader_place(const Reader* r) { return (Place){.file = &r->file}; }

static inline void reader_close(Reader* r) { load_close(&r->load); }

/// Fails unless the load has stopped with this status and a message that contains `text`.
static inline void reader_expect_mistake(const Reader* r, HeftStatus status, const char* text) {
  assert_int_equal(r->load.status, status);
  if (!strstr(r->error.message, text))
    fail_msg("'%s' was found, expected '%s' in it", r->error.message, text);
}

/// Fails unless exactly one kind of warning was given and its message contains `text`.
static inline void reader_expect_warning(const Reader* r, int count, const char* text) {
  assert_int_equal(r->load.status, HEFT_OK);
  assert_int_equal(r->load.warnings.count, 1);
  const Warning* w = GROW_AT(r->load.warnings, Warning*, 0);
  assert_int_equal(w->count, count);
  if (!strstr(w->error.message, text))
    fail_msg("'%s' was found, expected '%s' in it", w->error.message, text);
}

#endif
