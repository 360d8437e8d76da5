// SPDX-License-Identifier: Apache-2.0
// A reader stops at the first error, which has a line and a column. Here the attribute or the
// element at that place is painted over by blanks, in memory, so that lines and columns stay, and
// the file is read again for the next error. Errors that follow from the paint are not reported:
//
//   - an element misses something, and it or its parent has paint inside;
//   - a name is unknown that a painted element had;
//   - a file cannot be read: this reader serves XML below the folder of the model, and no meshes.
#include "all_errors.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES = 16, NAMES = 64, PLACES = 64, ROUNDS = 60, DEEPEST = 64, LIMIT = 1 << 24 };

typedef struct Painted {
  char path[600];
  char* text;
  size_t size;
} Painted;

typedef struct Painter {
  Painted file[FILES];
  int file_count;
  char name[NAMES][80];  // of painted elements
  int name_count;
  const char* place[PLACES];  // where paint is
  int place_count;
  bool top;          // an element below the root was painted
  const char* main;  // the model
} Painter;

// ---- text

static char* at_place(const Painted* f, int line, int column) {
  char* at = f->text;
  for (int i = 1; i < line && at; ++i) {
    at = strchr(at, '\n');
    if (at) ++at;
  }
  if (!at || column < 1 || strlen(at) < (size_t)column) return NULL;
  return at + column - 1;
}

static void blank(char* from, const char* end) {
  for (; from < end; ++from)
    if (*from != '\n') *from = ' ';
}

// Behind the '>' of a tag; NULL if it does not end.
static char* tag_end(char* at) {
  char quote = 0;
  for (; *at; ++at) {
    if (quote && *at == quote)
      quote = 0;
    else if (!quote && (*at == '"' || *at == '\''))
      quote = *at;
    else if (!quote && *at == '>')
      return at + 1;
  }
  return NULL;
}

// Behind the end of the element that begins here.
static char* element_end(char* at) {
  int depth = 0;
  while (at) {
    char* end = strncmp(at, "<!--", 4) == 0 ? strstr(at, "-->") : tag_end(at);
    if (!end) return NULL;
    if (at[1] == '/')
      --depth;
    else if (at[1] != '!' && at[1] != '?' && end[-2] != '/')
      ++depth;
    if (depth <= 0 && at[1] != '!') return end;
    at = strchr(end, '<');
  }
  return NULL;
}

// The element around the one that begins here, and how many are around it; NULL: none.
static char* parent_of(char* text, const char* at, int* depth) {
  char* open[DEEPEST];
  *depth = 0;
  for (text = strchr(text, '<'); text && text < at; text = strchr(text, '<')) {
    char* end = strncmp(text, "<!--", 4) == 0 ? strstr(text, "-->") : tag_end(text);
    if (!end || *depth == DEEPEST) return NULL;
    if (text[1] == '/')
      *depth -= *depth > 0;
    else if (text[1] != '!' && text[1] != '?' && end[-2] != '/')
      open[(*depth)++] = text;
    text = end;
  }
  return *depth > 0 ? open[*depth - 1] : NULL;
}

// Keeps the names that the elements of a text have.
static void keep_names(Painter* p, const char* from, const char* end) {
  while (p->name_count < NAMES && (from = strstr(from, " name=\"")) != NULL && from < end) {
    from += 7;
    const size_t length = strcspn(from, "\"");
    snprintf(p->name[p->name_count++], sizeof p->name[0], "'%.*s'",
             (int)(length < 70 ? length : 70), from);
  }
}

static void keep_place(Painter* p, const char* at) {
  if (p->place_count < PLACES) p->place[p->place_count++] = at;
}

static bool paint_element(Painter* p, const Painted* f, char* at) {
  char* end = element_end(at);
  int depth = 0;
  if (!end) return false;
  parent_of(f->text, at, &depth);
  p->top |= depth == 1;
  keep_names(p, at, end);
  blank(at, end);
  keep_place(p, at);
  return true;
}

static bool paint_attribute(Painter* p, char* at) {
  char* end = at;
  while (isalnum((unsigned char)*end) || strchr("_-:.", *end)) {
    if (!*end) return false;
    ++end;
  }
  end += strspn(end, " \t\n");
  if (*end != '=') return false;
  end += 1 + strspn(end + 1, " \t\n");
  char* close = *end == '"' || *end == '\'' ? strchr(end + 1, *end) : NULL;
  if (!close) return false;
  blank(at, close + 1);
  keep_place(p, at);
  return true;
}

// ---- files

static Painted* file_of(Painter* p, const char* path) {
  for (int i = 0; i < p->file_count; ++i)
    if (strcmp(p->file[i].path, path) == 0) return &p->file[i];
  void* bytes = NULL;
  size_t size = 0;
  HeftError error = {0};
  const size_t length = strlen(path);
  if (p->file_count == FILES || length >= sizeof p->file[0].path) return NULL;
  const HeftAllocator allocator = heft_allocator_default();
  if (heft_file_read(&bytes, &size, path, LIMIT, &allocator, &error) != HEFT_OK) return NULL;
  Painted* f = &p->file[p->file_count++];
  memcpy(f->path, path, length + 1);
  f->text = bytes;
  f->size = size;
  return f;
}

// The model, and XML below its folder.
static bool is_served(const Painter* p, const char* path) {
  const char *dot = strrchr(path, '.'), *slash = strrchr(p->main, '/');
  const size_t folder = slash ? (size_t)(slash + 1 - p->main) : 0;
  if (strcmp(path, p->main) == 0) return true;
  return dot && strcmp(dot, ".xml") == 0 && !strstr(path, "..") &&
         strncmp(path, p->main, folder) == 0 && path[folder] != '/';
}

// Files as they are painted.
static HeftStatus read_painted(void* user, const char* path, size_t limit,
                               const HeftAllocator* allocator, void** bytes, size_t* size,
                               HeftError* error) {
  (void)error;
  const Painted* f = is_served(user, path) ? file_of(user, path) : NULL;
  if (!f || f->size > limit) return HEFT_ERR_FILE;
  char* copy = allocator->allocate(allocator->user, f->size + 1, 1);
  if (!copy) return HEFT_ERR_MEMORY;
  memcpy(copy, f->text, f->size);
  copy[f->size] = '\0';
  *bytes = copy;
  *size = f->size;
  return HEFT_OK;
}

// ---- errors

static bool has_paint(const Painter* p, char* element) {
  const char* end = element ? element_end(element) : NULL;
  for (int i = 0; i < p->place_count; ++i)
    if (end && p->place[i] >= element && p->place[i] < end) return true;
  return false;
}

static bool follows(const Painter* p, const Painted* f, const HeftError* error, char* at) {
  int depth = 0;
  if (error->status == HEFT_ERR_FILE) return true;
  for (int i = 0; i < p->name_count; ++i)
    if (strstr(error->message, p->name[i])) return true;
  if (*at != '<') return false;
  char* parent = parent_of(f->text, at, &depth);
  return has_paint(p, at) || (depth == 1 ? p->top : has_paint(p, parent));
}

static int by_place(const void* a, const void* b) {
  const HeftError *x = a, *y = b;
  const int file = strcmp(x->file, y->file);
  return file != 0 ? file : x->line != y->line ? x->line - y->line : x->column - y->column;
}

static void release(Painter* p) {
  const HeftAllocator a = heft_allocator_default();
  for (int i = 0; p && i < p->file_count; ++i)
    a.release(a.user, p->file[i].text, p->file[i].size + 1);
  free(p);
}

int all_errors_find(const HeftLoadDef* given, const char* path, const HeftError* first,
                    HeftError* more, int capacity) {
  Painter* p = calloc(1, sizeof *p);
  const HeftFiles files = {read_painted, p};
  HeftLoadDef def = heft_load_def_default();
  int count = 0;
  if (p) p->main = path;
  def.files = &files;
  def.base = given->base;
  def.limits = given->limits;
  for (int i = 0; p && i < ROUNDS && count < capacity; ++i) {
    HeftModel* model = NULL;
    HeftError error = {0};
    const HeftStatus status = heft_model_load_file(&model, path, &def, &error);
    heft_model_destroy(model);
    if (status == HEFT_OK || error.line < 1) break;
    if (i == 0 && error.line != first->line) break;  // this reader sees another file
    Painted* f = file_of(p, error.file);
    char* at = f ? at_place(f, error.line, error.column) : NULL;
    if (!at) break;
    if (i > 0 && !follows(p, f, &error, at)) more[count++] = error;
    if (status == HEFT_ERR_LIMIT) break;  // reached again wherever there is paint
    if (!(*at == '<' ? paint_element(p, f, at) : paint_attribute(p, at))) break;
  }
  release(p);
  qsort(more, (size_t)count, sizeof *more, by_place);
  return count;
}
