// SPDX-License-Identifier: Apache-2.0
// Patches of tetrahedra, over which strain is averaged (decision 293).
//
// Tetrahedra that have the same longest edge form a patch. On a lattice these are the six of a
// cell, around its diagonal. In other meshes they are fewer: a patch of less than five joins the
// smallest one across a face, if both together have room. The numbers of nodes break ties, so that
// the patches depend only on the mesh.
#include "dynamics/deform/patches.h"

#include <string.h>

enum { FEW = 5, PASSES = 2 };

typedef struct Search {
  const double* rest;
  const int* corner;
  int nodes, tetrahedra;
  int* bucket;     ///< nodes + 1
  int* key;        ///< per tetrahedron or face: its key, three ints
  int* order;      ///< of tetrahedra or faces by their keys
  int* other;      ///< scratch of the order
  int* beside;     ///< per face: the tetrahedron behind it, or -1
  int* group;      ///< per tetrahedron
  int *up, *size;  ///< per group: the one that it joined, or itself; tetrahedra
} Search;

// ---- keys

static double length2(const double* rest, int a, int b) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const double d = rest[3L * a + i] - rest[3L * b + i];
    sum += d * d;
  }
  return sum;
}

static int before(const int* x, const int* y) {
  for (int i = 0; i < 3; ++i) {
    if (x[i] != y[i]) return x[i] < y[i];
  }
  return 0;
}

static void find_longest_edge(const Search* s, int t, int key[3]) {
  const int* c = s->corner + 4L * t;
  double most = -1;
  for (int a = 0; a < 4; ++a) {
    for (int b = a + 1; b < 4; ++b) {
      const int own[3] = {c[a] < c[b] ? c[a] : c[b], c[a] < c[b] ? c[b] : c[a], 0};
      const double length = length2(s->rest, own[0], own[1]);
      if (length < most || (length == most && before(key, own))) continue;
      most = length;
      memcpy(key, own, sizeof own);
    }
  }
}

// The face across from corner k, its nodes rising.
static void find_face(const Search* s, int t, int k, int key[3]) {
  int count = 0;
  for (int a = 0; a < 4; ++a) {
    if (a == k) continue;
    const int node = s->corner[4L * t + a];
    int at = count++;
    for (; at > 0 && key[at - 1] > node; --at) key[at] = key[at - 1];
    key[at] = node;
  }
}

// Sorts keys by counting, last number first. Equal ones keep their order.
static void sort_keys(const Search* s, int count) {
  for (int i = 0; i < count; ++i) s->order[i] = i;
  for (int k = 2; k >= 0; --k) {
    memcpy(s->other, s->order, (size_t)count * sizeof(int));
    memset(s->bucket, 0, (size_t)(s->nodes + 1) * sizeof(int));
    for (int i = 0; i < count; ++i) ++s->bucket[s->key[3L * i + k] + 1];
    for (int i = 0; i < s->nodes; ++i) s->bucket[i + 1] += s->bucket[i];
    for (int i = 0; i < count; ++i)
      s->order[s->bucket[s->key[3L * s->other[i] + k]]++] = s->other[i];
  }
}

static int same_key(const Search* s, int i, int k) {
  return memcmp(s->key + 3L * i, s->key + 3L * k, 3 * sizeof(int)) == 0;
}

// ---- groups

static int group_by_longest_edges(const Search* s) {
  int groups = 0;
  for (int t = 0; t < s->tetrahedra; ++t) find_longest_edge(s, t, s->key + 3L * t);
  sort_keys(s, s->tetrahedra);
  for (int i = 0; i < s->tetrahedra; ++i) {
    const int t = s->order[i], last = groups - 1;
    const int joins =
        i > 0 && same_key(s, t, s->order[i - 1]) && s->size[last] < PATCH_TETRAHEDRA_MAX;
    if (!joins) s->size[groups++] = 0;
    s->group[t] = groups - 1;
    ++s->size[groups - 1];
  }
  for (int g = 0; g < groups; ++g) s->up[g] = g;
  return groups;
}

static void find_neighbours(const Search* s) {
  const int faces = 4 * s->tetrahedra;
  for (int i = 0; i < faces; ++i) {
    find_face(s, i / 4, i % 4, s->key + 3L * i);
    s->beside[i] = -1;
  }
  sort_keys(s, faces);
  for (int i = 1; i < faces; ++i) {
    const int a = s->order[i - 1], b = s->order[i];
    if (!same_key(s, a, b)) continue;
    s->beside[a] = b / 4;
    s->beside[b] = a / 4;
  }
}

static int root_of(const Search* s, int group) {
  while (s->up[group] != group) group = s->up[group] = s->up[s->up[group]];
  return group;
}

static void join_small_groups(const Search* s) {
  for (int t = 0; t < s->tetrahedra; ++t) {
    const int own = root_of(s, s->group[t]);
    int best = -1;
    for (int k = 0; k < 4 && s->size[own] < FEW; ++k) {
      if (s->beside[4L * t + k] < 0) continue;
      const int other = root_of(s, s->group[s->beside[4L * t + k]]);
      if (other == own || s->size[own] + s->size[other] > PATCH_TETRAHEDRA_MAX) continue;
      if (best < 0 || s->size[other] < s->size[best]) best = other;
    }
    if (best < 0) continue;
    s->up[best] = own;
    s->size[own] += s->size[best];
  }
}

// ---- all

size_t heft_patches_scratch(int nodes, int tetrahedra) {
  return (size_t)nodes + 2 + 29 * (size_t)tetrahedra;
}

Patches heft_patches_find(int nodes, const double* rest, int tetrahedra, const int* corner,
                          int* scratch) {
  const size_t t = (size_t)tetrahedra;
  Patches out = {.first = scratch, .tetrahedron = scratch + t + 1};
  Search s = {.rest = rest, .corner = corner, .nodes = nodes, .tetrahedra = tetrahedra};
  s.group = out.tetrahedron + t;
  s.up = s.group + t;
  s.size = s.up + t;
  s.beside = s.size + t;
  s.key = s.beside + 4 * t;
  s.order = s.key + 12 * t;
  s.other = s.order + 4 * t;
  s.bucket = s.other + 4 * t;
  const int groups = group_by_longest_edges(&s);
  find_neighbours(&s);
  for (int pass = 0; pass < PASSES; ++pass) join_small_groups(&s);
  memset(out.first, 0, (t + 1) * sizeof(int));
  for (int g = 0; g < groups; ++g) s.size[g] = -1;  // its number among the patches
  for (int i = 0; i < tetrahedra; ++i) {
    const int root = root_of(&s, s.group[i]);
    if (s.size[root] < 0) s.size[root] = out.count++;
    s.group[i] = s.size[root];
    ++out.first[s.group[i] + 1];
  }
  for (int p = 0; p < out.count; ++p) out.first[p + 1] += out.first[p];
  memcpy(s.order, out.first, (size_t)out.count * sizeof(int));
  for (int i = 0; i < tetrahedra; ++i) out.tetrahedron[s.order[s.group[i]]++] = i;
  return out;
}
