// SPDX-License-Identifier: Apache-2.0
// Convex hulls by qhull. Its triangles come in the order in which qhull made them, which is the
// same for the same points; each starts at its smallest vertex, and they are sorted, so that
// nothing depends on qhull's bookkeeping.
//
// Work. qhull needs O(n log n) operations, but O(v^2) for each flat face with v corners: points on
// a circle would keep it busy for minutes, and it cannot be stopped. So if there are many points,
// the hulls of two samples come first, one with twice as many points as the other. How the hull
// grows between them shows how it grows up to all points: corners in proportion to the points if
// they lie on a sphere, slower if most lie inside. If what is expected exceeds the budget, the hull
// is refused; what was found is charged afterwards. The samples depend on all points, so that no
// file can hide a face from them.
#include <libqhull_r/qhull_ra.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "io/mesh.h"

static HeftVec3 vertex(const Mesh* m, int i) { return heft_vec3_from(m->vertices + 3L * i); }

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

enum { SAMPLE = 1500 };

// Operations, measured: a call of qhull, a point, a corner of the hull, a pair of a face's corners.
static const double work_of_call = 15000, work_of_point = 300, work_of_corner = 7000,
                    work_of_pair = 60;

// Size of a hull: corners, and the sum of the squares of the faces' numbers of corners.
typedef struct HullSize {
  double corners, pairs;
} HullSize;

static double work_of(HullSize size) {
  return work_of_corner * size.corners + work_of_pair * size.pairs;
}

// A flat face that was cut into triangles has one owner, and k triangles for k + 2 corners.
static HullSize measure(qhT* qh) {
  HullSize size = {.corners = qh->num_vertices};
  facetT* facet;
  FORALLfacets facet->visitid = 0;
  FORALLfacets {
    facetT* owner = facet->tricoplanar && facet->f.triowner ? facet->f.triowner : facet;
    ++owner->visitid;
  }
  FORALLfacets {
    const double corners = facet->simplicial || facet->tricoplanar
                               ? 2 + (double)facet->visitid
                               : (double)qh_setsize(qh, facet->vertices);
    if (corners > 3) size.pairs += corners * corners;
  }
  return size;
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
  mesh_sort_triangles(m->hull, m->hull_count);
  return 1;
}

// Computes the hull of `count` points, and its triangles if m is not NULL. qhull reports to a FILE
// of ours and jumps back into qh_new_qhull on mistakes, which returns a code. Returns 1, 0 if there
// is no hull, -1 without memory.
static int run_qhull(Load* load, double* points, int count, Mesh* m, HullSize* size) {
  char report[256];  // qhull wants a FILE for its report; what does not fit is dropped
  FILE* nowhere = fmemopen(report, sizeof report, "w");
  if (!nowhere) return -1;
  qhT qh_memory;
  qhT* qh = &qh_memory;
  qh_zero(qh, nowhere);
  char command[] = "qhull Qt Pp";
  const int code = qh_new_qhull(qh, 3, count, points, False, command, nowhere, nowhere);
  int good = code == 0;
  if (good) *size = measure(qh);
  if (good && m) good = collect(load, qh, m);
  qh_freeqhull(qh, code == 0 ? !qh_ALL : qh_ALL);
  int left, total;
  qh_memfreeshort(qh, &left, &total);
  fclose(nowhere);
  return good ? 1 : code == qh_ERRmem ? -1 : 0;
}

static double distance(const Mesh* m, int i, const int corner[], int corners) {
  const HeftVec3 p = heft_vec3_sub(vertex(m, i), vertex(m, corner[0]));
  if (corners == 1) return heft_vec3_dot(p, p);
  const HeftVec3 a = heft_vec3_sub(vertex(m, corner[1]), vertex(m, corner[0]));
  if (corners == 2) {
    const HeftVec3 n = heft_vec3_cross(a, p);
    return heft_vec3_dot(n, n);
  }
  const HeftVec3 b = heft_vec3_sub(vertex(m, corner[2]), vertex(m, corner[0]));
  return fabs(heft_vec3_dot(heft_vec3_cross(a, b), p));
}

// A tetrahedron of the points: each corner is the farthest from the point, line or plane of those
// before it. A sample with it is flat only if all points are.
static void find_tetrahedron(const Mesh* m, int corner[4]) {
  corner[0] = 0;
  for (int k = 1; k < 4; ++k) {
    double farthest = -1;
    for (int i = 0; i < m->vertex_count; ++i) {
      const double d = distance(m, i, corner, k);
      if (d > farthest) farthest = d, corner[k] = i;
    }
  }
}

static double grown(double small, double large, double most, double times) {
  double ratio = small > 0 ? large / small : most;
  ratio = ratio < 1 ? 1 : ratio > most ? most : ratio;
  while (times > 1) {
    large *= times >= 2 ? ratio : 1 + (ratio - 1) * (times - 1);
    times /= 2;
  }
  return large;
}

// The work that the hull of many points is expected to need, from the hulls of samples.
static double expected_work(Load* load, const Mesh* m) {
  const uint64_t n = (uint64_t)m->vertex_count;
  double* points = load_take(load, 3 * (size_t)SAMPLE, sizeof(double));
  double* copy = load_take(load, 3 * (size_t)SAMPLE, sizeof(double));
  if (!points || !copy) return 0;
  int corner[4];
  find_tetrahedron(m, corner);
  uint64_t random = hash_array(m->vertices, 3 * (size_t)n, sizeof(double), 0);
  for (int i = 0; i < SAMPLE; ++i) {
    random = hash_array(&random, 1, sizeof random, random);
    const uint64_t from = i < 4 ? (uint64_t)corner[i] : random % n;
    memcpy(points + 3L * i, m->vertices + 3 * from, 3 * sizeof(double));
  }
  HullSize half = {0}, whole = {0};
  memcpy(copy, points, 3 * (size_t)SAMPLE * sizeof(double));
  if (run_qhull(load, copy, SAMPLE / 2, NULL, &half) != 1) return 0;
  if (run_qhull(load, points, SAMPLE, NULL, &whole) != 1) return 0;
  const double times = (double)n / SAMPLE;
  return work_of((HullSize){.corners = grown(half.corners, whole.corners, 2, times),
                            .pairs = grown(half.pairs, whole.pairs, 4, times)});
}

// Charges what a hull needs at least, and refuses one that is expected to exceed the budget.
// Returns 0 after a mistake.
static int charge(Load* load, Place from, const char* name, const Mesh* m) {
  const int n = m->vertex_count;
  if (!load_work(load, from, work_of_call + work_of_point * n)) return 0;
  if (n <= 2 * SAMPLE) return 1;
  const double expected = expected_work(load, m);
  if (LOAD_OK(load) && load->budget.work + expected > load->budget.work_allowed)
    load_fail(load, HEFT_ERR_LIMIT, from,
              "the convex hull of mesh '%.100s' takes more work than files of this size need: too "
              "many of its %d points lie on a flat face or are corners; simplify the mesh, or if "
              "you trust it, raise the limit work (--unlimited)",
              name, n);
  return LOAD_OK(load);
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
  if (!points || !charge(load, from, name, m)) return 0;
  memcpy(points, m->vertices, 3 * (size_t)m->vertex_count * sizeof(double));
  HullSize size = {0};
  const int good = run_qhull(load, points, m->vertex_count, m, &size);
  if (good == 1) return load_work(load, from, work_of(size));
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
