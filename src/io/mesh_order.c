// SPDX-License-Identifier: Apache-2.0
// Triangles in the order of their vertices: heapsort, which needs no memory and no luck.
#include <string.h>

#include "io/mesh.h"

static int before(const int* a, const int* b) {
  for (int k = 0; k < 3; ++k) {
    if (a[k] != b[k]) return a[k] < b[k];
  }
  return 0;
}

static void swap_triangles(int* a, int* b) {
  int t[3];
  memcpy(t, a, sizeof t);
  memcpy(a, b, sizeof t);
  memcpy(b, t, sizeof t);
}

static void sift(int* t, int root, int count) {
  for (int child = 2 * root + 1; child < count; child = 2 * root + 1) {
    if (child + 1 < count && before(t + 3L * child, t + 3L * (child + 1))) ++child;
    if (!before(t + 3L * root, t + 3L * child)) return;
    swap_triangles(t + 3L * root, t + 3L * child);
    root = child;
  }
}

void mesh_sort_triangles(int* t, int count) {
  for (int i = count / 2 - 1; i >= 0; --i) sift(t, i, count);
  for (int last = count - 1; last > 0; --last) {
    swap_triangles(t, t + 3L * last);
    sift(t, 0, last);
  }
}
