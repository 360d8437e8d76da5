// SPDX-License-Identifier: Apache-2.0
// The readers' context. It keeps the first mistake, groups the warnings by kind, and hands out
// memory of one region and work within the budget. Functions that come after the first mistake do
// nothing.
#include "io/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

void load_open(Load* load, const HeftLoadDef* def, HeftError* error) {
  *load = (Load){.def = def, .budget = budget_make(def->allocator, &def->limits), .error = error};
  load->allocator = budget_allocator(&load->budget);
  load->region = region_make(load->allocator);
}

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
  heft_error_one_line(error->file);
}

static int print(char* out, size_t size, const char* format, va_list arguments) {
  return vsnprintf(out, size, format, arguments);  // NOLINT(clang-analyzer-valist.Uninitialized)
}

// Memory that the budget refused is a limit of the load, not a lack of memory.
static HeftStatus fail_for_memory(Load* load, Place place) {
  load_set_place(load->error, place);
  snprintf(load->error->message, sizeof load->error->message,
           "the model needs more than %.0f MB of memory; if you trust the file, raise the limit "
           "total_bytes (--unlimited)",
           load->budget.bytes_allowed / 1e6);
  return load->status = load->error->status = HEFT_ERR_LIMIT;
}

HeftStatus load_fail(Load* load, HeftStatus status, Place place, const char* format, ...) {
  if (load->status != HEFT_OK) return load->status;
  if (load->budget.memory_refused) return fail_for_memory(load, place);
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
  heft_error_one_line(load->error->message);
  return status;
}

int load_forgive(Load* load, HeftError* why) {
  const Budget* b = &load->budget;
  if (load->status == HEFT_ERR_MEMORY || b->memory_refused || b->work > b->work_allowed) return 0;
  *why = *load->error;
  *load->error = (HeftError){0};
  load->status = HEFT_OK;
  return 1;
}

// More kinds of warnings than this are one kind.
enum { WARNING_KINDS = 1000, WORK_OF_WARNING = 1000 };

static Warning* find_warning(Load* load, const char* key) {
  const int i = name_table_index(&load->warning_kinds, 0, key);
  if (i >= 0) return GROW_AT(load->warnings, Warning*, i);
  return load->warnings.count < WARNING_KINDS
             ? NULL
             : GROW_AT(load->warnings, Warning*, WARNING_KINDS - 1);
}

static void warn(Load* load, HeftError* error, Place place, const char* key) {
  if (!load_work(load, place, WORK_OF_WARNING)) return;
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
  const int index = load->warnings.count - 1;
  if (index == WARNING_KINDS - 1)
    snprintf(w->error.message, sizeof w->error.message,
             "there are warnings of more than %d kinds; the others are not listed", index);
  if (!w->key ||
      !load_name(load, &load->warning_kinds, (NameEntry){.name = w->key, .index = index}))
    --load->warnings.count;
}

void load_warn(Load* load, Place place, const char* key, const char* format, ...) {
  if (!LOAD_OK(load)) return;
  HeftError error = {.status = HEFT_ERR_UNSUPPORTED};
  va_list arguments;
  va_start(arguments, format);
  print(error.message, sizeof error.message, format, arguments);
  va_end(arguments);
  heft_error_one_line(error.message);
  warn(load, &error, place, key);
}

void load_warn_file(Load* load, Place place, const char* key, const char* format, ...) {
  if (!LOAD_OK(load)) return;
  HeftError error = {.status = HEFT_ERR_FILE};
  va_list arguments;
  va_start(arguments, format);
  print(error.message, sizeof error.message, format, arguments);
  va_end(arguments);
  heft_error_one_line(error.message);
  warn(load, &error, place, key);
}

static void fail_to_take(Load* load) {
  load_fail(load, HEFT_ERR_MEMORY, (Place){0}, "no memory to read the file");
}

void* load_take(Load* load, size_t count, size_t size) {
  void* memory = region_take(&load->region, count, size);
  if (!memory) fail_to_take(load);
  return memory;
}

int load_work(Load* load, Place from, double operations) {
  Budget* b = &load->budget;
  b->work += operations;
  if (b->memory_refused || b->work > b->work_allowed)
    load_fail(load, HEFT_ERR_LIMIT, from,
              "the model takes more than %.2g operations to read, more than files of this size "
              "need; if you trust it, raise the limit work (--unlimited)",
              b->work_allowed);
  return LOAD_OK(load);
}

int load_name(Load* load, NameTable* table, NameEntry entry) {
  if (!LOAD_OK(load)) return 0;
  const int added = name_table_add(table, &load->region, entry);
  if (!added) fail_to_take(load);
  return added;
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
  if (!item) fail_to_take(load);
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
  const HeftAllocator* a = &load->allocator;
  for (SourceFile* f = load->files; f; f = f->next) {
    if (f->owned) a->release(a->user, f->owned, f->size + 1);
  }
  heft_builder_destroy(load->builder);
  region_release(&load->region);
}
