// SPDX-License-Identifier: Apache-2.0
// Wavefront OBJ: vertices and faces. Faces with more than three corners become fans. Normals,
// texture coordinates, groups, lines and materials are for the eye and are not read.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "io/mesh.h"
#include "io/number.h"

typedef struct Cursor {
  const char *at, *end;  ///< end of the line
  const SourceFile* file;
  int line;
} Cursor;

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static int next_word(Cursor* c, const char** word) {
  while (c->at < c->end && is_blank(*c->at)) ++c->at;
  *word = c->at;
  while (c->at < c->end && !is_blank(*c->at)) ++c->at;
  return (int)(c->at - *word);
}

static Place place_of(const Cursor* c, const char* word) {
  const char* start = word;
  while (start > c->file->text && start[-1] != '\n') --start;
  return (Place){c->file, c->line, (int)(word - start) + 1};
}

static int read_vertex(Load* load, Cursor* c, double* out) {
  for (int k = 0; k < 3; ++k) {
    const char* word;
    const int length = next_word(c, &word);
    if (length > 0 && number_read(word, word + length, &out[k]) == word + length &&
        fabs(out[k]) <= 1e9) {
      out[k] += 0.0;
      continue;
    }
    load_fail(load, HEFT_ERR_SYNTAX, place_of(c, word),
              "'%.*s' was found in a vertex, expected three numbers of at most 1e9",
              length < 60 ? length : 60, word);
    return 0;
  }
  return 1;
}

// "7", "7/1", "7//3", "-1": the vertex before the first slash, counted from 1 or backwards.
static int read_corner(Load* load, Cursor* c, const char* word, int length, int vertex_count,
                       int* out) {
  int index = 0, digits = 0;
  while (digits < length && word[digits] != '/') ++digits;
  const char* end = number_read_int(word, word + digits, &index);
  if (end == word + digits && index != INT_MIN) {
    *out = index < 0 ? vertex_count + index : index - 1;
    if (index != 0 && *out >= 0 && *out < vertex_count) return 1;
  }
  load_fail(load, HEFT_ERR_VALUE, place_of(c, word),
            "'%.*s' was found in a face, expected a vertex from 1 to %d (all vertices before it)",
            length < 60 ? length : 60, word, vertex_count);
  return 0;
}

static int read_face(Load* load, Cursor* c, Mesh* mesh, Grow* faces) {
  const char* word;
  int length, count = 0, first = 0, last = 0, corner = 0;
  const Place start = place_of(c, c->at);
  while ((length = next_word(c, &word)) > 0) {
    if (!read_corner(load, c, word, length, mesh->vertex_count, &corner)) return 0;
    if (count == 0) first = corner;
    if (count >= 2 && first != last && last != corner && first != corner) {
      if (faces->count >= load->def->limits.mesh_triangles) {
        load_fail(load, HEFT_ERR_LIMIT, start,
                  "there are more than %d triangles; raise the limit mesh_triangles",
                  load->def->limits.mesh_triangles);
        return 0;
      }
      int* face = load_grow(load, faces, 3 * sizeof(int));
      if (!face) return 0;
      face[0] = first;
      face[1] = last;
      face[2] = corner;
    }
    last = corner;
    ++count;
  }
  if (count >= 3) return 1;
  load_fail(load, HEFT_ERR_SYNTAX, start, "a face with %d corners was found, expected 3 or more",
            count);
  return 0;
}

static int read_line(Load* load, Cursor* c, Mesh* mesh, Grow* vertices, Grow* faces) {
  const char* word;
  const int length = next_word(c, &word);
  if (length == 1 && word[0] == 'v') {
    double* v = load_grow(load, vertices, 3 * sizeof(double));
    if (!v || !read_vertex(load, c, v)) return 0;
    mesh->vertex_count = vertices->count;
  } else if (length == 1 && word[0] == 'f') {
    return read_face(load, c, mesh, faces);
  }
  return 1;
}

int mesh_read_obj(Load* load, Place from, const SourceFile* file, Mesh* out) {
  *out = (Mesh){0};
  Grow vertices = {0}, faces = {0};
  const char *at = file->text, *end = file->text + file->size;
  for (int line = 1; at < end; ++line) {
    const char* newline = memchr(at, '\n', (size_t)(end - at));
    const char* stop = newline ? newline : end;
    Cursor c = {at, stop, file, line};
    if (!read_line(load, &c, out, &vertices, &faces)) return 0;
    at = newline ? newline + 1 : end;
  }
  out->vertices = vertices.items;
  out->faces = faces.items;
  out->face_count = faces.count;
  if (out->face_count > 0) return 1;
  load_fail(load, HEFT_ERR_VALUE, from,
            "'%.150s' has no faces; an OBJ file needs 'v' and 'f' lines", file->path);
  return 0;
}
