// SPDX-License-Identifier: Apache-2.0
// STL, binary and ASCII. The format has no shared vertices: vertices with equal bits become one.
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "io/bits.h"
#include "io/mesh.h"
#include "io/words.h"

enum { HEADER = 84, RECORD = 50 };

// Finds equal vertices: an open-addressed table of vertex numbers.
typedef struct Weld {
  Mesh* mesh;
  int* table;  ///< vertex + 1, or 0
  unsigned mask;
} Weld;

static int weld_make(Load* load, Weld* weld, Mesh* mesh, int corners) {
  unsigned capacity = 16;
  while (capacity < 2u * (unsigned)corners) capacity *= 2;
  weld->mesh = mesh;
  weld->mask = capacity - 1;
  weld->table = load_take(load, capacity, sizeof(int));
  mesh->vertices = load_take(load, 3 * (size_t)corners, sizeof(double));
  mesh->faces = load_take(load, (size_t)corners, sizeof(int));
  return LOAD_OK(load);
}

static int weld_vertex(Weld* weld, const double p[3]) {
  const double clean[3] = {p[0] + 0.0, p[1] + 0.0, p[2] + 0.0};  // -0 becomes 0
  uint64_t bits[3];
  memcpy(bits, clean, sizeof bits);
  uint64_t h = (bits[0] * 0x9E3779B97F4A7C15u) ^ (bits[1] * 0xC2B2AE3D27D4EB4Fu) ^
               (bits[2] * 0x165667B19E3779F9u);
  unsigned slot = (unsigned)((h ^ (h >> 29) ^ (h >> 47)) & weld->mask);
  for (; weld->table[slot]; slot = (slot + 1) & weld->mask) {
    const int known = weld->table[slot] - 1;
    if (bits_same(weld->mesh->vertices + 3L * known, clean, 3)) return known;
  }
  const int fresh = weld->mesh->vertex_count++;
  memcpy(weld->mesh->vertices + 3L * fresh, clean, sizeof clean);
  weld->table[slot] = fresh + 1;
  return fresh;
}

// Triangles with two equal vertices are skipped.
static void weld_triangle(Weld* weld, const double p[9]) {
  const int a = weld_vertex(weld, p), b = weld_vertex(weld, p + 3), c = weld_vertex(weld, p + 6);
  if (a == b || b == c || a == c) return;
  int* face = weld->mesh->faces + 3L * weld->mesh->face_count++;
  face[0] = a;
  face[1] = b;
  face[2] = c;
}

static int too_many(Load* load, Place from, const char* path, unsigned long long count) {
  if (count <= (unsigned long long)load->def->limits.mesh_triangles) return 0;
  load_fail(load, HEFT_ERR_LIMIT, from,
            "'%.150s' has %llu triangles, at most %d are allowed; raise the limit mesh_triangles",
            path, count, load->def->limits.mesh_triangles);
  return 1;
}

static uint32_t read_u32(const unsigned char* b) {
  return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double read_f32(const unsigned char* b) {
  const uint32_t bits = read_u32(b);
  float x;
  memcpy(&x, &bits, sizeof x);
  return (double)x;
}

static int read_binary(Load* load, Place from, const SourceFile* file, Mesh* out) {
  const unsigned char* bytes = (const unsigned char*)file->text;
  const unsigned long long count = read_u32(bytes + 80);
  if (too_many(load, from, file->path, count)) return 0;
  if (HEADER + RECORD * count > file->size) {
    load_fail(load, HEFT_ERR_SYNTAX, from,
              "'%.150s' says it has %llu triangles, which is %llu bytes, but it has %zu; it is "
              "truncated or "
              "not an STL file",
              file->path, count, HEADER + RECORD * count, file->size);
    return 0;
  }
  Weld weld;
  if (!weld_make(load, &weld, out, 3 * (int)count)) return 0;
  for (unsigned long long t = 0; t < count; ++t) {
    const unsigned char* record = bytes + HEADER + RECORD * t + 12;  // the normal is not used
    double p[9];
    for (int k = 0; k < 9; ++k) {
      p[k] = read_f32(record + 4L * k);
      if (fabs(p[k]) <= 1e9) continue;
      load_fail(load, HEFT_ERR_VALUE, from,
                "'%.150s': triangle %llu has a coordinate that is not finite or larger than 1e9",
                file->path, t + 1);
      return 0;
    }
    weld_triangle(&weld, p);
  }
  return 1;
}

// ---- ASCII: solid (facet normal ... outer loop vertex x y z ... endloop endfacet)* endsolid

static int is_word(const char* word, int length, const char* expected) {
  if ((size_t)length != strlen(expected)) return 0;
  for (int i = 0; i < length; ++i) {
    const char c = word[i] >= 'A' && word[i] <= 'Z' ? (char)(word[i] + 32) : word[i];
    if (c != expected[i]) return 0;
  }
  return 1;
}

static int count_vertices(const SourceFile* file) {
  Cursor c = {file->text, file->text + file->size, file, 1};
  const char* word;
  int length, count = 0;
  while ((length = next_word_of_file(&c, &word)) > 0) count += is_word(word, length, "vertex");
  return count;
}

static int read_vertex(Load* load, Cursor* c, double p[3]) {
  for (int k = 0; k < 3; ++k) {
    const char* word;
    const int length = next_word_of_file(c, &word);
    if (length > 0 && heft_decimal_read(word, word + length, &p[k]) == word + length &&
        fabs(p[k]) <= 1e9)
      continue;
    load_fail(load, HEFT_ERR_SYNTAX, (Place){c->file, c->line, 0},
              "'%.*s' was found after 'vertex', expected three numbers of at most 1e9",
              length < 60 ? length : 60, word);
    return 0;
  }
  return 1;
}

static int read_ascii(Load* load, Place from, const SourceFile* file, Mesh* out) {
  const int corners = count_vertices(file);
  if (too_many(load, from, file->path, (unsigned long long)corners / 3)) return 0;
  Weld weld;
  if (!weld_make(load, &weld, out, corners)) return 0;
  Cursor c = {file->text, file->text + file->size, file, 1};
  const char* word;
  double p[9];
  int length, corner = 0;
  while ((length = next_word_of_file(&c, &word)) > 0) {
    if (is_word(word, length, "vertex")) {
      if (corner == 3) {
        load_fail(load, HEFT_ERR_SYNTAX, (Place){file, c.line, 0},
                  "a fourth 'vertex' was found in a facet, expected 'endloop'");
        return 0;
      }
      if (!read_vertex(load, &c, p + 3L * corner++)) return 0;
    } else if (is_word(word, length, "endfacet")) {
      if (corner != 3) {
        load_fail(load, HEFT_ERR_SYNTAX, (Place){file, c.line, 0},
                  "a facet with %d vertices was found, expected 3", corner);
        return 0;
      }
      weld_triangle(&weld, p);
      corner = 0;
    }
  }
  if (corner == 0) return 1;
  load_fail(load, HEFT_ERR_SYNTAX, (Place){file, c.line, 0},
            "the file ends inside a facet; it is truncated");
  return 0;
}

// Many binary files begin with "solid" too: if the length fits the count, the file is binary.
static int is_binary(const SourceFile* file) {
  if (file->size < HEADER) return 0;
  const unsigned long long count = read_u32((const unsigned char*)file->text + 80);
  if (HEADER + RECORD * count == file->size) return 1;
  return strncmp(file->text, "solid", 5) != 0 || memchr(file->text, '\0', HEADER) != NULL;
}

int mesh_read_stl(Load* load, Place from, const SourceFile* file, Mesh* out) {
  *out = (Mesh){0};
  if (file->size < 6 || (file->size < HEADER && strncmp(file->text, "solid", 5) != 0)) {
    load_fail(
        load, HEFT_ERR_SYNTAX, from,
        "'%.150s' has %zu bytes, too few for an STL file (at least %d, or ASCII from 'solid')",
        file->path, file->size, HEADER);
    return 0;
  }
  if (!(is_binary(file) ? read_binary : read_ascii)(load, from, file, out)) return 0;
  if (out->face_count > 0) return 1;
  load_fail(load, HEFT_ERR_VALUE, from, "'%.150s' has no triangles", file->path);
  return 0;
}
