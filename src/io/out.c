// SPDX-License-Identifier: Apache-2.0
#include "io/out.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/decimal.h"
#include "base/def.h"
#include "base/error.h"

HeftStatus out_check(const HeftModel* model, const HeftWriteDef* def, HeftError* error) {
  HEFT_REQUIRE(model, heft_error_set(error, HEFT_ERR_ARGUMENT, "model must not be NULL"));
  HEFT_REQUIRE(def, heft_error_set(error, HEFT_ERR_ARGUMENT, "def must not be NULL"));
  const HeftStatus status = HEFT_DEF_CHECK(HeftWriteDef, heft_write_def_default, def, error);
  if (status != HEFT_OK) return status;
  if (!def->allocator.allocate || !def->allocator.release)
    return heft_error_set(error, HEFT_ERR_ARGUMENT,
                          "HeftWriteDef.allocator has no functions: start with "
                          "heft_write_def_default() and change single fields");
  if (!def->put)
    return heft_error_set(error, HEFT_ERR_ARGUMENT,
                          "HeftWriteDef.put is not set: it stores the files that are written");
  return HEFT_OK;
}

HeftStatus out_fail(Out* o, HeftStatus status, const char* format, const char* name) {
  if (o->status != HEFT_OK) return o->status;
  o->status = status;
  if (o->error) {
    *o->error = (HeftError){.status = status};
    snprintf(o->error->message, sizeof o->error->message, format, name);
  }
  return status;
}

void out_bytes(Out* o, const char* text, size_t size) {
  if (o->status != HEFT_OK) return;
  if (o->used + size > o->capacity) {
    const size_t capacity = 2 * (o->used + size) + 4096;
    char* grown = o->def->allocator.allocate(o->def->allocator.user, capacity, 64);
    if (!grown) {
      out_fail(o, HEFT_ERR_MEMORY, "no memory to write the model%s", "");
      return;
    }
    if (o->used > 0) memcpy(grown, o->text, o->used);
    if (o->text) o->def->allocator.release(o->def->allocator.user, o->text, o->capacity);
    o->text = grown;
    o->capacity = capacity;
  }
  HEFT_ASSERT(o->used + size <= o->capacity);
  memcpy(o->text + o->used, text, size);
  o->used += size;
}

void out_text(Out* o, const char* text) { out_bytes(o, text, strlen(text)); }

void out_escaped(Out* o, const char* text) {
  for (; *text; ++text) {
    switch (*text) {
      case '&':
        out_text(o, "&amp;");
        break;
      case '<':
        out_text(o, "&lt;");
        break;
      case '>':
        out_text(o, "&gt;");
        break;
      case '"':
        out_text(o, "&quot;");
        break;
      case '\n':
        out_text(o, "&#10;");
        break;
      case '\t':
        out_text(o, "&#9;");
        break;
      case '\r':
        out_text(o, "&#13;");
        break;
      default:
        out_bytes(o, text, 1);
    }
  }
}

void out_number(Out* o, double x) {
  char text[HEFT_DECIMAL_SIZE];
  const int length = heft_decimal_write(x, text);
  HEFT_ASSERT(length > 0 && length < HEFT_DECIMAL_SIZE);
  out_bytes(o, text, (size_t)length);
}

// a new line
static void indent(Out* o) {
  out_text(o, "\n");
  for (int i = 0; i < o->indent; ++i) out_text(o, "  ");
}

void out_open(Out* o, const char* name) {
  indent(o);
  out_text(o, "<");
  out_text(o, name);
}

void out_end_empty(Out* o) { out_text(o, "/>"); }

void out_begin(Out* o, const char* name) {
  out_open(o, name);
  out_text(o, ">");
  ++o->indent;
}

void out_begin_content(Out* o) {
  out_text(o, ">");
  ++o->indent;
}

void out_end(Out* o, const char* name) {
  --o->indent;
  HEFT_ASSERT(o->indent >= 0 || o->status != HEFT_OK);
  indent(o);
  out_text(o, "</");
  out_text(o, name);
  out_text(o, ">");
}

// ---- files

void out_hand_over(Out* o, const char* name) {
  HeftError error = {0};
  const HeftStatus status =
      o->status == HEFT_OK ? o->def->put(o->def->user, name, o->text, o->used, &error) : HEFT_OK;
  o->used = 0;
  if (status == HEFT_OK) return;
  if (error.message[0]) {
    out_fail(o, status, "%s", error.message);
  } else {
    out_fail(o, status, "the file '%.300s' could not be written", name[0] ? name : "of the model");
  }
}

void out_mesh_file(Out* o, int k) {
  const HeftModel* m = o->m;
  const double* v = m->vertex_pos + 3L * m->mesh_vertex[k];
  const int* f = m->face_vertex + 3L * m->mesh_face[k];
  char line[80], name[600];
  for (int i = 0; i < m->mesh_vertex_count[k]; ++i) {
    out_text(o, "v");
    for (int c = 0; c < 3; ++c) {
      out_text(o, " ");
      out_number(o, v[3L * i + c]);
    }
    out_text(o, "\n");
  }
  const int corner = m->mesh_corner[k];
  for (int i = 0; corner >= 0 && i < 3 * m->mesh_face_count[k]; ++i) {
    out_text(o, "vt ");
    out_number(o, m->corner_image[2L * (corner + i)]);
    out_text(o, " ");
    out_number(o, m->corner_image[2L * (corner + i) + 1]);
    out_text(o, "\n");
  }
  for (int i = 0; i < m->mesh_face_count[k]; ++i) {
    const int a = f[3L * i] + 1, b = f[3L * i + 1] + 1, c = f[3L * i + 2] + 1, t = 3 * i + 1;
    HEFT_ASSERT(a > 0 && a <= m->mesh_vertex_count[k] && c > 0 && c <= m->mesh_vertex_count[k]);
    if (corner >= 0) {
      snprintf(line, sizeof line, "f %d/%d %d/%d %d/%d\n", a, t, b, t + 1, c, t + 2);
    } else {
      snprintf(line, sizeof line, "f %d %d %d\n", a, b, c);
    }
    out_text(o, line);
  }
  out_mesh_name(o, k, name, sizeof name);
  out_hand_over(o, name);
}

static int is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

// A name that can be a file's as it is; one that begins with a digit could be a number's.
static int is_plain_name(const char* name) {
  if (!name[0] || (name[0] >= '0' && name[0] <= '9') || strlen(name) > 200) return 0;
  for (; *name; ++name) {
    if (!is_plain(*name)) return 0;
  }
  return 1;
}

void out_mesh_name(const Out* o, int k, char* out, size_t size) {
  const char* name = heft_model_name(o->m, HEFT_NAMED_MESH, k);
  const int plain_name = is_plain_name(name);
  size_t used = (size_t)(plain_name ? snprintf(out, size, "%s/", o->def->mesh_folder)
                                    : snprintf(out, size, "%s/%d_", o->def->mesh_folder, k));
  for (; *name && used + 5 < size; ++name) {  // letters that every file system accepts
    out[used++] = is_plain(*name) ? *name : '_';
  }
  HEFT_ASSERT(used < size);
  snprintf(out + used, size - used, ".obj");
}

void out_release(Out* o) {
  const HeftAllocator* a = &o->def->allocator;
  if (o->text) a->release(a->user, o->text, o->capacity);
  o->text = NULL;
}
