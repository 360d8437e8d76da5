// SPDX-License-Identifier: Apache-2.0
// MTL: colours and textures of OBJ files. Materials serve drawing only, so that wrong numbers are
// no mistakes.
#include "io/mtl.h"

#include <string.h>

#include "base/decimal.h"
#include "io/words.h"

enum { MATERIALS_MAX = 4096 };

static double read_share(Cursor* c) {
  const char* word;
  double x = 1;
  const int length = next_word(c, &word);
  if (length == 0 || heft_decimal_read(word, word + length, &x) != word + length) return 1;
  return x < 0 ? 0 : (x <= 1 ? x : 1);
}

static int is_word(const char* word, int length, const char* text) {
  return (size_t)length == strlen(text) && memcmp(word, text, (size_t)length) == 0;
}

// Options of a texture, such as "-s 1 1 1", come before the name: the last word is the file, but a
// name with blanks is kept if there are no options.
static const char* read_texture(Load* load, Cursor* c) {
  const char* text = rest_of_line(load, c);
  if (!text || text[0] != '-') return text;
  const char* blank = strrchr(text, ' ');
  return blank ? blank + 1 : NULL;
}

static int begin_material(Load* load, Cursor* c, Grow* out) {
  if (out->count == MATERIALS_MAX) {
    load_fail(load, HEFT_ERR_LIMIT, place_of(c, c->at), "there are more than %d materials",
              MATERIALS_MAX);
    return 0;
  }
  MtlMaterial* m = LOAD_ADD(load, out, MtlMaterial);
  const char* name = rest_of_line(load, c);
  if (!m || !name) return 0;
  *m = (MtlMaterial){.name = name, .color = {1, 1, 1, 1}};
  return 1;
}

static int read_line(Load* load, Cursor* c, Grow* out) {
  const char* word;
  const int length = next_word(c, &word);
  MtlMaterial* m = out->count > 0 ? &GROW_AT(*out, MtlMaterial, out->count - 1) : NULL;
  if (is_word(word, length, "newmtl")) return begin_material(load, c, out);
  if (!m) return 1;
  if (is_word(word, length, "Kd")) {
    for (int k = 0; k < 3; ++k) m->color[k] = read_share(c);
  } else if (is_word(word, length, "d")) {
    m->color[3] = read_share(c);
  } else if (is_word(word, length, "map_Kd")) {
    m->texture = read_texture(load, c);
    return LOAD_OK(load);
  }
  return 1;
}

int mtl_read(Load* load, const SourceFile* file, Grow* out) {
  const char *at = file->text, *end = file->text + file->size;
  for (int line = 1; at < end; ++line) {
    const char* newline = memchr(at, '\n', (size_t)(end - at));
    Cursor c = {at, newline ? newline : end, file, line};
    if (!read_line(load, &c, out)) return 0;
    at = newline ? newline + 1 : end;
  }
  return 1;
}

const MtlMaterial* mtl_find(const Grow* materials, const char* name) {
  for (int i = 0; i < materials->count; ++i) {
    const MtlMaterial* m = &GROW_AT(*materials, MtlMaterial, i);
    if (strcmp(m->name, name) == 0) return m;
  }
  return NULL;
}
