// SPDX-License-Identifier: Apache-2.0
// The readers' context. It keeps the first mistake, groups the warnings by kind, and hands out
// memory of one region within the limit total_bytes. Functions that come after the first mistake do
// nothing.
#include "io/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void load_set_place(HeftError* error, Place place) {
  const char* path = place.file ? place.file->path : "";
  const size_t length = strlen(path);
  error->line = place.line;
  error->column = place.column;
  if (length < sizeof error->file) {
    memcpy(error->file, path, length + 1);
  } else {
    memcpy(error->file, "...", 3);
    memcpy(error->file + 3, path + length - (sizeof error->file - 4), sizeof error->file - 3);
  }
}

static int print(char* out, size_t size, const char* format, va_list arguments) {
  return vsnprintf(out, size, format, arguments);  // NOLINT(clang-analyzer-valist.Uninitialized)
}

HeftStatus load_fail(Load* load, HeftStatus status, Place place, const char* format, ...) {
  if (load->status != HEFT_OK) return load->status;
  // if the builder has no memory, that is the cause of the mistake
  HeftError earlier = {0};
  if (load->builder && heft_builder_status(load->builder, &earlier) == HEFT_ERR_MEMORY) {
    *load->error = earlier;
    load_set_place(load->error, (Place){.file = place.file});
    return load->status = earlier.status;
  }
  load->status = status;
  load->error->status = status;
  load_set_place(load->error, place);
  va_list arguments;
  va_start(arguments, format);
  print(load->error->message, sizeof load->error->message, format, arguments);
  va_end(arguments);
  return status;
}

int load_forgive(Load* load, HeftError* why) {
  if (load->status == HEFT_ERR_MEMORY || load->region.used > load->region.limit / 2) return 0;
  *why = *load->error;
  *load->error = (HeftError){0};
  load->status = HEFT_OK;
  return 1;
}

static Warning* find_warning(Load* load, const char* key) {
  for (int i = 0; i < load->warnings.count; ++i) {
    Warning* w = GROW_AT(load->warnings, Warning*, i);
    if (strcmp(w->key, key) == 0) return w;
  }
  return NULL;
}

static void warn(Load* load, HeftError* error, Place place, const char* key) {
  load_set_place(error, place);
  if (load->def->strict) {
    load_fail(load, error->status, place, "%s (an error because of strict)", error->message);
    return;
  }
  if (!key) key = error->message;
  Warning* known = find_warning(load, key);
  if (known) {
    ++known->count;
    return;
  }
  Warning* w = LOAD_NEW(load, Warning);
  Warning** slot = w ? LOAD_ADD(load, &load->warnings, Warning*) : NULL;
  if (!slot) return;
  *w = (Warning){.error = *error, .count = 1};
  w->key = load_text(load, key, strlen(key));
  *slot = w;
  if (!w->key) --load->warnings.count;
}

void load_warn(Load* load, Place place, const char* key, const char* format, ...) {
  if (!LOAD_OK(load)) return;
  HeftError error = {.status = HEFT_ERR_UNSUPPORTED};
  va_list arguments;
  va_start(arguments, format);
  print(error.message, sizeof error.message, format, arguments);
  va_end(arguments);
  warn(load, &error, place, key);
}

void load_warn_file(Load* load, Place place, const char* key, const char* format, ...) {
  if (!LOAD_OK(load)) return;
  HeftError error = {.status = HEFT_ERR_FILE};
  va_list arguments;
  va_start(arguments, format);
  print(error.message, sizeof error.message, format, arguments);
  va_end(arguments);
  warn(load, &error, place, key);
}

// Stores why the region did not give `count` items.
static void fail_to_take(Load* load, size_t count, size_t size) {
  if (size > 0 && count > (load->region.limit - load->region.used) / size) {
    load_fail(load, HEFT_ERR_LIMIT, (Place){0},
              "reading the file needs more than %zu bytes of memory; raise the limit total_bytes",
              load->region.limit);
  } else {
    load_fail(load, HEFT_ERR_MEMORY, (Place){0}, "no memory to read the file");
  }
}

void* load_take(Load* load, size_t count, size_t size) {
  void* memory = region_take(&load->region, count, size);
  if (!memory) fail_to_take(load, count, size);
  return memory;
}

char* load_text(Load* load, const char* text, size_t length) {
  char* copy = load_take(load, length + 1, 1);
  if (copy && length > 0) memcpy(copy, text, length);
  return copy;
}

const char* load_format(Load* load, const char* format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  const int length = print(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length < 0 || length >= (int)sizeof text) {
    load_fail(load, HEFT_ERR_LIMIT, (Place){0}, "the name '%.60s...' is too long", text);
    return "";
  }
  const char* copy = load_text(load, text, (size_t)length);
  return copy ? copy : "";
}

void* load_grow(Load* load, Grow* list, size_t item_size) {
  void* item = grow_add(list, item_size, &load->region);
  if (!item) fail_to_take(load, list->capacity > 0 ? 2 * (size_t)list->capacity : 8, item_size);
  return item;
}

void load_report_warnings(const Load* load) {
  if (!load->def->warning) return;
  for (int i = 0; i < load->warnings.count; ++i) {
    const Warning* w = GROW_AT(load->warnings, Warning*, i);
    load->def->warning(load->def->user, &w->error, w->count);
  }
}

void load_close(Load* load) {
  const HeftAllocator* a = &load->def->allocator;
  for (SourceFile* f = load->files; f; f = f->next) {
    if (f->owned) a->release(a->user, f->owned, f->size + 1);
  }
  heft_builder_destroy(load->builder);
  region_release(&load->region);
}
