// SPDX-License-Identifier: Apache-2.0
// One load from beginning to end: read the bytes, see what they are, let the reader of that format
// fill a builder, finish the model, tell the warnings.
#include "io/load.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "io/xml.h"

HeftLoadDef heft_load_def_default(void) {
  return (HeftLoadDef){.allocator = heft_allocator_default(),
                       .limits = {.file_bytes = 64u << 20,
                                  .total_bytes = (size_t)1 << 30,
                                  .xml_depth = 64,
                                  .xml_attributes = 64,
                                  .xml_elements = 1 << 20,
                                  .name_bytes = 255,
                                  .bodies = 4096,
                                  .mesh_triangles = 2000000,
                                  .include_depth = 8,
                                  .dofs = 1 << 15,
                                  .mass_entries = 1 << 24},
                       .hulls = 1};
}

static void set_place(HeftError* error, Place place) {
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
  // a builder that is out of memory is the cause of what the reader stumbles over
  HeftError earlier = {0};
  if (load->builder && heft_builder_status(load->builder, &earlier) == HEFT_ERR_MEMORY) {
    *load->error = earlier;
    set_place(load->error, (Place){.file = place.file});
    return load->status = earlier.status;
  }
  load->status = status;
  load->error->status = status;
  set_place(load->error, place);
  va_list arguments;
  va_start(arguments, format);
  print(load->error->message, sizeof load->error->message, format, arguments);
  va_end(arguments);
  return status;
}

static Warning* find_warning(Load* load, const char* key) {
  for (int i = 0; i < load->warnings.count; ++i) {
    Warning* w = GROW_AT(load->warnings, Warning*, i);
    if (strcmp(w->key, key) == 0) return w;
  }
  return NULL;
}

void load_warn(Load* load, Place place, const char* key, const char* format, ...) {
  if (!LOAD_OK(load)) return;
  HeftError error = {.status = HEFT_ERR_UNSUPPORTED};
  set_place(&error, place);
  va_list arguments;
  va_start(arguments, format);
  print(error.message, sizeof error.message, format, arguments);
  va_end(arguments);
  if (load->def->strict) {
    load_fail(load, HEFT_ERR_UNSUPPORTED, place, "%s (an error because of strict)", error.message);
    return;
  }
  if (!key) key = error.message;
  Warning* known = find_warning(load, key);
  if (known) {
    ++known->count;
    return;
  }
  Warning* w = LOAD_NEW(load, Warning);
  Warning** slot = w ? LOAD_ADD(load, &load->warnings, Warning*) : NULL;
  if (!slot) return;
  *w = (Warning){.error = error, .count = 1};
  w->key = load_text(load, key, strlen(key));
  *slot = w;
  if (!w->key) --load->warnings.count;
}

void* load_take(Load* load, size_t count, size_t size) {
  void* memory = region_take(&load->region, count, size);
  if (memory) return memory;
  if (load->region.used + count * size > load->region.limit) {
    load_fail(load, HEFT_ERR_LIMIT, (Place){0},
              "reading the file needs more than %zu bytes of memory; raise the limit total_bytes",
              load->region.limit);
  } else {
    load_fail(load, HEFT_ERR_MEMORY, (Place){0}, "no memory to read the file");
  }
  return NULL;
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
  if (!item) load_take(load, load->region.limit, 2);  // sets the mistake
  return item;
}

static void tell_warnings(const Load* load) {
  if (!load->def->warning) return;
  for (int i = 0; i < load->warnings.count; ++i) {
    const Warning* w = GROW_AT(load->warnings, Warning*, i);
    load->def->warning(load->def->user, &w->error, w->count);
  }
}

static void close_load(Load* load) {
  const HeftAllocator* a = &load->def->allocator;
  for (SourceFile* f = load->files; f; f = f->next) {
    if (f->owned) a->release(a->user, f->owned, f->size + 1);
  }
  heft_builder_destroy(load->builder);
  region_release(&load->region);
}

static HeftStatus load_xml(Load* load, const SourceFile* file) {
  char root[32];
  if (xml_root_name(file, root, sizeof root) && strcmp(root, "robot") == 0)
    return load_urdf(load, file);
  return load_mjcf(load, file);
}

// Mistakes that the builder finds have no place of their own: they get the file's name.
static HeftStatus finish(Load* load, const SourceFile* file, HeftModel** out) {
  if (!LOAD_OK(load)) return load->status;
  HeftError error = {0};
  const HeftStatus status = heft_builder_finish(load->builder, out, &error);
  if (status == HEFT_OK) return HEFT_OK;
  return load_fail(load, status, (Place){.file = file}, "%s", error.message);
}

static HeftModelLimits model_limits(const HeftLoadDef* def) {
  return (HeftModelLimits){.dofs = def->limits.dofs, .mass_entries = def->limits.mass_entries};
}

static HeftStatus run(HeftModel** out, const char* path, const void* bytes, size_t size,
                      const HeftLoadDef* def, HeftError* error) {
  *out = NULL;
  HeftError ignored = {0};
  Load load = {.def = def,
               .region = region_make(def->allocator, def->limits.total_bytes),
               .error = error ? error : &ignored};
  *load.error = (HeftError){0};
  const SourceFile* file = NULL;
  if (bytes) {
    SourceFile* given = LOAD_NEW(&load, SourceFile);
    if (given) *given = (SourceFile){.path = path ? path : "", .text = bytes, .size = size};
    file = given;
  } else {
    file = load_read(&load, (Place){0}, NULL, NULL, path);
  }
  if (file && LOAD_OK(&load)) {
    if (file->size >= 8 && memcmp(file->text, "HEFTMODL", 8) == 0) {
      load.status = heft_model_load_within(out, file->text, file->size, &def->allocator,
                                           model_limits(def), load.error);
      if (load.status != HEFT_OK) set_place(load.error, (Place){.file = file});
    } else if (heft_builder_create(&load.builder, &def->allocator, load.error) == HEFT_OK) {
      heft_builder_set_limits(load.builder, model_limits(def));
      load_xml(&load, file);
      finish(&load, file, out);
    } else {
      load.status = HEFT_ERR_MEMORY;
    }
  }
  tell_warnings(&load);
  const HeftStatus status = load.status;
  close_load(&load);
  return status;
}

HeftStatus heft_load_file(HeftModel** out, const char* path, const HeftLoadDef* def,
                          HeftError* error) {
  return run(out, path, NULL, 0, def, error);
}

HeftStatus heft_load_bytes(HeftModel** out, const void* bytes, size_t size, const char* name,
                           const HeftLoadDef* def, HeftError* error) {
  return run(out, name, size > 0 ? bytes : "", size, def, error);
}
