// SPDX-License-Identifier: Apache-2.0
// Convex hulls by qhull. Its triangles come in the order in which qhull made them, which is the
// same for the same points; each starts at its smallest vertex, and they are sorted, so that
// nothing depends on qhull's bookkeeping.
#include <libqhull_r/qhull_ra.h>
#include <stdio.h>
#include <string.h>

#include "io/mesh.h"

static HeftVec3 vertex(const Mesh* m, int i) {
  const double* v = m->vertices + 3L * i;
  return heft_vec3(v[0], v[1], v[2]);
}

// Turns a triangle counter-clockwise, seen from outside, and starts it at its smallest vertex.
static void orient(const Mesh* m, const double normal[3], int t[3]) {
  const HeftVec3 a = vertex(m, t[0]);
  const HeftVec3 n =
      heft_vec3_cross(heft_vec3_sub(vertex(m, t[1]), a), heft_vec3_sub(vertex(m, t[2]), a));
  if (n.x * normal[0] + n.y * normal[1] + n.z * normal[2] < 0) {
    const int swap = t[1];
    t[1] = t[2];
    t[2] = swap;
  }
  while (t[0] > t[1] || t[0] > t[2]) {
    const int first = t[0];
    t[0] = t[1];
    t[1] = t[2];
    t[2] = first;
  }
}

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

static void sort_triangles(int* t, int count) {
  for (int i = count / 2 - 1; i >= 0; --i) sift(t, i, count);
  for (int last = count - 1; last > 0; --last) {
    swap_triangles(t, t + 3L * last);
    sift(t, 0, last);
  }
}

static int collect(Load* load, qhT* qh, Mesh* m) {
  facetT* facet;
  vertexT *v, **vp;
  int count = 0;
  FORALLfacets count += facet->simplicial || facet->tricoplanar;
  m->hull = load_take(load, 3 * (size_t)count, sizeof(int));
  if (!m->hull) return 0;
  FORALLfacets {
    int t[3], corner = 0;
    FOREACHsetelement_(vertexT, facet->vertices, v) {
      const int id = qh_pointid(qh, v->point);
      if (corner < 3 && id >= 0 && id < m->vertex_count) t[corner++] = id;
    }
    if (corner != 3 || m->hull_count == count) continue;
    orient(m, facet->normal, t);
    memcpy(m->hull + 3L * m->hull_count++, t, sizeof t);
  }
  sort_triangles(m->hull, m->hull_count);
  return 1;
}

// qhull reports to a FILE of ours and jumps back into qh_new_qhull on mistakes, which returns a
// code.
static int run_qhull(Load* load, Mesh* m, double* points, FILE* nowhere) {
  qhT qh_memory;
  qhT* qh = &qh_memory;
  qh_zero(qh, nowhere);
  char command[] = "qhull Qt Pp";
  const int code = qh_new_qhull(qh, 3, m->vertex_count, points, False, command, nowhere, nowhere);
  const int good = code == 0 ? collect(load, qh, m) : 0;
  qh_freeqhull(qh, code == 0 ? !qh_ALL : qh_ALL);
  int left, total;
  qh_memfreeshort(qh, &left, &total);
  return good ? 1 : code == qh_ERRmem ? -1 : 0;
}

int mesh_hull(Load* load, Place from, const char* name, Mesh* m) {
  if (m->hull_count > 0) return 1;
  if (m->vertex_count < 4 && m->face_count > 0) return -1;
  if (m->vertex_count < 4) {
    load_fail(load, HEFT_ERR_VALUE, from,
              "mesh '%.100s' has %d points; a convex hull needs at least 4", name, m->vertex_count);
    return 0;
  }
  double* points = load_take(load, 3 * (size_t)m->vertex_count, sizeof(double));
  if (!points) return 0;
  memcpy(points, m->vertices, 3 * (size_t)m->vertex_count * sizeof(double));
  char report[256];  // qhull wants a FILE for its report; what does not fit is dropped
  FILE* nowhere = fmemopen(report, sizeof report, "w");
  const int good = nowhere ? run_qhull(load, m, points, nowhere) : -1;
  if (nowhere) fclose(nowhere);
  if (good == 1) return 1;
  if (good < 0) {
    load_fail(load, HEFT_ERR_MEMORY, from, "mesh '%.100s': no memory for its convex hull", name);
  } else if (m->face_count > 0) {
    return -1;
  } else {
    load_fail(load, HEFT_ERR_VALUE, from,
              "mesh '%.100s' has no convex hull: its points all lie in one plane or line; give it "
              "thickness, or let it not collide (contype=\"0\" conaffinity=\"0\")",
              name);
  }
  return 0;
}
