// SPDX-License-Identifier: Apache-2.0
// Wavefront OBJ: vertices, texture coordinates and faces. A face with more than three corners
// becomes a fan of triangles. The names of materials are kept (mtl.c reads their colours). Normals,
// groups and lines are skipped.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "io/mesh.h"
#include "io/words.h"

typedef struct Corner {
  int vertex, place;  ///< index of its texture coordinates, -1: none
} Corner;

/// The lines read so far.
typedef struct Parts {
  Grow vertices, places, faces;  ///< double[3], double[2], Corner[3]
  Grow runs;                     ///< MeshRun
  const char* library;           ///< file of the materials, or NULL
} Parts;

static int read_vertex(Load* load, Cursor* c, double* out) {
  for (int k = 0; k < 3; ++k) {
    const char* word;
    const int length = next_word(c, &word);
    if (length > 0 && heft_decimal_read(word, word + length, &out[k]) == word + length &&
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

// Texture coordinates serve drawing only: a wrong one becomes 0 and is no mistake.
static void read_place(Cursor* c, double* out) {
  for (int k = 0; k < 2; ++k) {
    const char* word;
    double x = 0;
    const int length = next_word(c, &word);
    const int good = length > 0 && heft_decimal_read(word, word + length, &x) == word + length;
    if (!good || !mesh_image_number(x, &out[k])) out[k] = 0;
  }
}

// The index of the texture coordinates between the slashes, or -1.
static int read_place_number(const char* word, const char* end, const Parts* parts) {
  const char* stop = memchr(word, '/', (size_t)(end - word));
  int index = 0;
  if (!stop) stop = end;
  if (stop == word || heft_decimal_read_int(word, stop, &index) != stop || index == INT_MIN)
    return -1;
  const int place = index < 0 ? parts->places.count + index : index - 1;
  return place >= 0 && place < parts->places.count ? place : -1;
}

// "7", "7/1", "7//3", "-1": the vertex before the first slash, counted from 1 or backwards.
static int read_corner(Load* load, Cursor* c, const char* word, int length, const Parts* parts,
                       Corner* out) {
  const int vertex_count = parts->vertices.count;
  int index = 0, digits = 0;
  while (digits < length && word[digits] != '/') ++digits;
  const char* end = heft_decimal_read_int(word, word + digits, &index);
  if (end == word + digits && index != INT_MIN) {
    out->vertex = index < 0 ? vertex_count + index : index - 1;
    out->place = digits < length ? read_place_number(word + digits + 1, word + length, parts) : -1;
    if (index != 0 && out->vertex >= 0 && out->vertex < vertex_count) return 1;
  }
  load_fail(load, HEFT_ERR_VALUE, place_of(c, word),
            "'%.*s' was found in a face, expected a vertex from 1 to %d (all vertices before it)",
            length < 60 ? length : 60, word, vertex_count);
  return 0;
}

static int same_vertex(Corner a, Corner b) { return a.vertex == b.vertex; }

static int read_face(Load* load, Cursor* c, Parts* parts) {
  const char* word;
  int length, count = 0;
  Corner first = {0, -1}, last = {0, -1}, corner = {0, -1};
  Grow* faces = &parts->faces;
  const Place start = place_of(c, c->at);
  while ((length = next_word(c, &word)) > 0) {
    if (!read_corner(load, c, word, length, parts, &corner)) return 0;
    if (count == 0) first = corner;
    if (count >= 2 && !same_vertex(first, last) && !same_vertex(last, corner) &&
        !same_vertex(first, corner)) {
      if (faces->count >= load->def->limits.mesh_triangles) {
        load_fail(load, HEFT_ERR_LIMIT, start,
                  "there are more than %d triangles; raise the limit mesh_triangles",
                  load->def->limits.mesh_triangles);
        return 0;
      }
      Corner* face = load_grow(load, faces, 3 * sizeof(Corner));
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

// The faces from here on have this material. A run without faces is replaced by the next.
static int begin_run(Load* load, Cursor* c, Parts* parts) {
  const char* name = rest_of_line(load, c);
  MeshRun* last =
      parts->runs.count > 0 ? &GROW_AT(parts->runs, MeshRun, parts->runs.count - 1) : NULL;
  if (!last || last->first_face < parts->faces.count) last = LOAD_ADD(load, &parts->runs, MeshRun);
  if (!name || !last) return 0;
  *last = (MeshRun){parts->faces.count, name};
  return 1;
}

static int read_line(Load* load, Cursor* c, Parts* parts) {
  const char* word;
  const int length = next_word(c, &word);
  if (length == 1 && word[0] == 'v') {
    double* v = load_grow(load, &parts->vertices, 3 * sizeof(double));
    if (!v || !read_vertex(load, c, v)) return 0;
  } else if (length == 1 && word[0] == 'f') {
    return read_face(load, c, parts);
  } else if (length == 2 && word[0] == 'v' && word[1] == 't') {
    double* place = load_grow(load, &parts->places, 2 * sizeof(double));
    if (!place) return 0;
    read_place(c, place);
  } else if (length == 6 && memcmp(word, "usemtl", 6) == 0) {
    return begin_run(load, c, parts);
  } else if (length == 6 && memcmp(word, "mtllib", 6) == 0) {
    parts->library = rest_of_line(load, c);
    return parts->library != NULL;
  }
  return 1;
}

// Stores the vertices of the corners, and their texture coordinates if there are any.
static int keep_faces(Load* load, const Parts* parts, Mesh* out) {
  const Corner* corner = parts->faces.items;
  const double* place = parts->places.items;
  out->faces = load_take(load, (size_t)parts->faces.count * 3, sizeof(int));
  if (parts->places.count > 0)
    out->image = load_take(load, (size_t)parts->faces.count * 6, sizeof(double));
  if (!out->faces || (parts->places.count > 0 && !out->image)) return 0;
  for (long i = 0; i < 3L * parts->faces.count; ++i) {
    out->faces[i] = corner[i].vertex;
    if (out->image && corner[i].place >= 0)
      memcpy(out->image + 2 * i, place + 2L * corner[i].place, 2 * sizeof(double));
  }
  out->face_count = parts->faces.count;
  return 1;
}

int mesh_read_obj(Load* load, Place from, const SourceFile* file, Mesh* out) {
  *out = (Mesh){0};
  Parts parts = {0};
  const char *at = file->text, *end = file->text + file->size;
  for (int line = 1; at < end; ++line) {
    const char* newline = memchr(at, '\n', (size_t)(end - at));
    const char* stop = newline ? newline : end;
    Cursor c = {at, stop, file, line};
    if (!read_line(load, &c, &parts)) return 0;
    at = newline ? newline + 1 : end;
  }
  out->vertices = parts.vertices.items;
  out->vertex_count = parts.vertices.count;
  out->runs = parts.runs.items;
  out->run_count = parts.runs.count;
  out->library = parts.library;
  if (parts.faces.count > 0) return keep_faces(load, &parts, out);
  load_fail(load, HEFT_ERR_VALUE, from,
            "'%.150s' has no faces; an OBJ file needs 'v' and 'f' lines", file->path);
  return 0;
}
