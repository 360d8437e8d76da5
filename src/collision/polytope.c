// SPDX-License-Identifier: Apache-2.0
// Depth of two convex cores by an expanding polytope [van den Bergen 2001].
//
// A polytope inside of D = A - B grows at the face nearest to the origin, by the support point
// along its normal, until D's boundary is reached there. That face's distance is then the depth: no
// direction has less, since the polytope lies inside of D and all its other faces are farther. The
// support point w sees some of the faces; they go, and a cone from w to the border around them
// replaces them.
//   Distances carry a sign, so the polytope need not hold the origin when it starts, and shapes
//   that just touch, or miss each other by rounding, need no case of their own.
//   For polyhedra it ends on a face of D. A curved D is never reached: the loop ends within a
//   tolerance, and when there is no more room the best direction tried so far is taken.
//   If rounding makes the border of the faces visible from w anything but one loop, the face is not
//   expanded; it competes with the support of D along its normal.
#include "collision/polytope.h"
#include "base/assert.h"
#include "math/invariant.h"

#include "collision/gjk.h"
#include "math/simd.h"

typedef struct Epa {
  EpaScratch* m;
  int vertex_count, face_count;
  double sliver;  // twice the area of a face that has no normal worth the name
} Epa;

static void set_plane(Epa* e, EpaFace* f) {
  const Difference* v = e->m->vertex;
  const HeftVec3 a = v[f->vertex[0]].w, b = v[f->vertex[1]].w, c = v[f->vertex[2]].w;
  const HeftVec3 n = heft_vec3_cross(heft_vec3_sub(b, a), heft_vec3_sub(c, a));
  const double area = heft_vec3_norm(n);
  if (!(area > e->sliver)) {
    f->distance = HUGE_VAL;
    f->normal = heft_vec3(0, 0, 0);
    return;
  }
  f->normal = heft_vec3_scale(1 / area, n);
  HEFT_ASSERT(heft_is_unit(f->normal));
  // Of the three corners the mean is the most exact.
  f->distance =
      (heft_vec3_dot(f->normal, a) + heft_vec3_dot(f->normal, b) + heft_vec3_dot(f->normal, c)) / 3;
}

static void set_face(Epa* e, int at, int a, int b, int c) {
  EpaFace* f = &e->m->face[at];
  HEFT_ASSERT(at >= 0 && at < EPA_FACE_MAX && a != b && b != c && c != a);
  f->vertex[0] = a, f->vertex[1] = b, f->vertex[2] = c;
  f->state = EPA_ALIVE;
  f->final = 0;
  set_plane(e, f);
  e->m->rank[at] = f->distance;
}

// The farther support point of the two directions d and -d.
static Difference farther(Cores* p, HeftVec3 d, HeftVec3 from) {
  const Difference s = cores_support(p, d), t = cores_support(p, heft_vec3_neg(d));
  const double ds = fabs(heft_vec3_dot(d, heft_vec3_sub(s.w, from)));
  const double dt = fabs(heft_vec3_dot(d, heft_vec3_sub(t.w, from)));
  return ds >= dt ? s : t;
}

// A tetrahedron of support points, as large as four directions give it. Returns 0 if D is flat.
static int start_polytope(Cores* p, Epa* e, HeftVec3 toward) {
  Difference* v = e->m->vertex;
  v[0] = cores_support(p, toward);
  v[1] = cores_support(p, heft_vec3_neg(toward));
  const HeftVec3 line = heft_vec3_normalize(heft_vec3_sub(v[1].w, v[0].w));
  const HeftVec3 side = any_across(line);
  v[2] = farther(p, side, v[0].w);
  HeftVec3 n = heft_vec3_cross(line, heft_vec3_sub(v[2].w, v[0].w));
  if (!(heft_vec3_norm(n) > 1e-9 * p->scale)) {
    v[2] = farther(p, heft_vec3_cross(line, side), v[0].w);
    n = heft_vec3_cross(line, heft_vec3_sub(v[2].w, v[0].w));
  }
  n = heft_vec3_normalize(n);
  v[3] = farther(p, n, v[0].w);
  const double height = heft_vec3_dot(n, heft_vec3_sub(v[3].w, v[0].w));
  if (!(fabs(height) > 1e-14 * p->scale)) return 0;
  const int up = height > 0;
  e->vertex_count = 4;
  e->face_count = 4;
  static const int upward[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  static const int downward[4][3] = {{0, 1, 2}, {1, 0, 3}, {2, 1, 3}, {0, 2, 3}};
  for (int f = 0; f < 4; ++f) {
    const int* t = up ? upward[f] : downward[f];
    set_face(e, f, t[0], t[1], t[2]);
  }
  // Neighbours by comparing edges: 4 faces only.
  for (int f = 0; f < 4; ++f) {
    for (int k = 0; k < 3; ++k) {
      const int a = e->m->face[f].vertex[k], b = e->m->face[f].vertex[(k + 1) % 3];
      for (int g = 0; g < 4; ++g) {
        for (int q = 0; q < 3; ++q) {
          if (e->m->face[g].vertex[q] == b && e->m->face[g].vertex[(q + 1) % 3] == a) {
            e->m->face[f].next[k] = g;
          }
        }
      }
    }
  }
  return 1;
}

// The lowest of the places with the least value, or -1 if none is finite; n is a multiple of 8.
HEFT_CLONES static int epa_min(const double* x, int n) {
  V8 min = v8_all(HUGE_VAL);
  I8 at = {0}, index = {0, 1, 2, 3, 4, 5, 6, 7};
  for (int i = 0; i < n; i += 8) {
    const V8 v = v8_load(x + i);
    const I8 better = v < min;
    min = v8_select(better, v, min);
    at = (better & index) | (~better & at);
    index += 8;
  }
  int lane = 0;
  for (int k = 1; k < 8; ++k) {
    if (min[k] < min[lane] || (min[k] == min[lane] && at[k] < at[lane])) lane = k;
  }
  return min[lane] < HUGE_VAL ? (int)at[lane] : -1;
}

static int nearest_face(const Epa* e) {
  const int padded = (e->face_count + 7) / 8 * 8;
  HEFT_ASSERT(e->face_count <= EPA_FACE_MAX);
  for (int f = e->face_count; f < padded; ++f) e->m->rank[f] = HUGE_VAL;
  return epa_min(e->m->rank, padded);
}

static int edge_of(const EpaFace* f, int neighbour) {
  for (int k = 0; k < 3; ++k) {
    if (f->next[k] == neighbour) return k;
  }
  return -1;
}

// A loop that passes a corner twice cannot be closed by a cone.
static int is_simple(const Epa* e, int edges) {
  for (int i = 0; i < edges; ++i) {
    const int(*h)[2] = (const int(*)[2])e->m->horizon;
    if (h[i][1] < 0) return 0;
    const int a = e->m->face[h[i][0]].vertex[h[i][1]];
    for (int j = 0; j < i; ++j) {
      if (e->m->face[h[j][0]].vertex[h[j][1]] == a) return 0;
    }
  }
  return 1;
}

// Marks all faces that w sees, starting from one, and lists the edges around them. Returns their
// number, or -1 if the horizon is not one loop (rounding), and then nothing was changed.
static int mark_visible(Epa* e, int start, HeftVec3 w, double tolerance) {
  EpaFace* face = e->m->face;
  int depth = 0, seen = 0, edges = 0;
  int* stack = e->m->stack;
  stack[depth++] = start;
  face[start].state = EPA_SEEN;
  int done = 0;
  while (done < depth) {
    const int f = stack[done++];
    HEFT_ASSERT(f >= 0 && f < e->face_count && depth <= e->face_count);
    ++seen;
    for (int k = 0; k < 3; ++k) {
      const int g = face[f].next[k];
      if (face[g].state != EPA_ALIVE) continue;
      const HeftVec3 d = heft_vec3_sub(w, e->m->vertex[face[g].vertex[0]].w);
      const int visible = isinf(face[g].distance) || heft_vec3_dot(face[g].normal, d) > tolerance;
      if (!visible) continue;
      face[g].state = EPA_SEEN;
      stack[depth++] = g;
    }
  }
  for (int i = 0; i < depth; ++i) {
    for (int k = 0; k < 3; ++k) {
      const int g = face[stack[i]].next[k];
      if (face[g].state == EPA_SEEN) continue;
      e->m->horizon[edges][0] = g;
      e->m->horizon[edges++][1] = edge_of(&face[g], stack[i]);
      HEFT_ASSERT(e->m->horizon[edges - 1][0] != stack[i]);
    }
  }
  if (edges < 3 || edges != seen + 2 || !is_simple(e, edges)) {
    for (int i = 0; i < depth; ++i) face[stack[i]].state = EPA_ALIVE;
    return -1;
  }
  for (int i = 0; i < depth; ++i) {
    face[stack[i]].state = EPA_DEAD;
    e->m->rank[stack[i]] = HUGE_VAL;
  }
  return edges;
}

static void sort_ascending(int* x, int count) {
  for (int i = 1; i < count; ++i) {
    const int moving = x[i];
    int k = i;
    for (; k > 0 && x[k - 1] > moving; --k) x[k] = x[k - 1];
    x[k] = moving;
  }
}

// A cone of new faces from the horizon to vertex w. The faces that were visible, two fewer and
// still on the stack, give their places.
static int add_cone(Epa* e, int edges, int w) {
  EpaFace* face = e->m->face;
  const int freed = edges - 2;
  HEFT_ASSERT(edges >= 3 && w == e->vertex_count);
  int* made = e->m->stack + EPA_FACE_MAX - edges;
  if (e->face_count + 2 > EPA_FACE_MAX || freed + edges > EPA_FACE_MAX) return 0;
  sort_ascending(e->m->stack, freed);
  for (int i = 0; i < edges; ++i) {
    const int place = i < freed ? e->m->stack[i] : e->face_count++;
    HEFT_ASSERT(place < EPA_FACE_MAX);
    const EpaFace* out = &face[e->m->horizon[i][0]];
    const int k = e->m->horizon[i][1];
    set_face(e, place, out->vertex[(k + 1) % 3], out->vertex[k], w);
    face[place].next[0] = e->m->horizon[i][0];
    made[i] = place;
    face[e->m->horizon[i][0]].next[k] = place;
  }
  for (int i = 0; i < edges; ++i) {
    for (int j = 0; j < edges; ++j) {
      if (face[made[i]].vertex[1] == face[made[j]].vertex[0]) {
        face[made[i]].next[1] = made[j];
        face[made[j]].next[2] = made[i];
      }
    }
  }
  return 1;
}

// The foot of the origin on a face, as a mixture of its corners; clamped to the triangle.
static HeftVec3 foot_on(const EpaScratch* m, const EpaFace* face, HeftVec3* on_a) {
  Simplex s = {.count = 3};
  for (int k = 0; k < 3; ++k) s.p[k] = m->vertex[face->vertex[k]];
  HeftVec3 foot;
  heft_simplex_closest(&s, &foot);
  *on_a = heft_vec3(0, 0, 0);
  for (int k = 0; k < s.count; ++k) *on_a = heft_vec3_add_scaled(*on_a, s.weight[k], s.p[k].on_a);
  return foot;
}

void heft_polytope_read(const EpaScratch* m, int faces, int f, double scale, Nearness* out) {
  const EpaFace* face = &m->face[f];
  HEFT_ASSERT(f >= 0 && f < faces && faces <= EPA_FACE_MAX);
  double min = HUGE_VAL;
  for (int g = 0; g < faces; ++g) {
    const EpaFace* other = &m->face[g];
    if (other->state != EPA_ALIVE || !(fabs(other->distance - face->distance) <= 1e-11 * scale))
      continue;
    if (heft_vec3_dot(other->normal, face->normal) < 1 - 1e-10) continue;
    HeftVec3 on_a;
    const HeftVec3 foot = foot_on(m, other, &on_a);
    const double length = heft_vec3_dot(foot, foot);
    if (!(length < min)) continue;
    min = length;
    out->on_a = on_a;
  }
  out->normal = face->normal;
  out->gap = -face->distance;
  out->on_b = heft_vec3_add_scaled(out->on_a, out->gap, face->normal);
  HEFT_ASSERT(heft_is_unit(out->normal));
}

// A round body needed more corners than there is room for: the best of the directions tried so far.
static void try_all_faces(Cores* p, const Epa* e, Nearness* out) {
  double min = cores_reach(p, out->normal);
  for (int f = 0; f < e->face_count; ++f) {
    const EpaFace* face = &e->m->face[f];
    if (face->state != EPA_ALIVE || !(face->distance < min))
      continue;  // it reaches that far itself
    const double depth = cores_reach(p, face->normal);
    if (depth < min) {
      min = depth;
      heft_polytope_read(e->m, e->face_count, f, p->scale, out);
    }
  }
}

int heft_polytope_depth(Cores* p, double tolerance, EpaScratch* scratch, int* faces,
                        Nearness* out) {
  Epa e = {.m = scratch, .sliver = 1e-18 * p->scale * p->scale};
  HeftVec3 toward = heft_vec3_normalize(p->b_in_a.pos);
  if (heft_vec3_dot(toward, toward) == 0) toward = heft_vec3(0, 0, 1);
  if (!start_polytope(p, &e, toward)) return 0;
  int best = nearest_face(&e);
  while (best >= 0 && !e.m->face[best].final) {
    EpaFace* f = &e.m->face[best];
    HEFT_ASSERT(f->state == EPA_ALIVE && e.vertex_count < EPA_VERTEX_MAX + 1);
    const Difference w = cores_support(p, f->normal);
    const double reach = heft_vec3_dot(f->normal, w.w);
    if (reach - f->distance <= tolerance || e.vertex_count == EPA_VERTEX_MAX) break;
    e.m->vertex[e.vertex_count] = w;
    const int edges = mark_visible(&e, best, w.w, 0.01 * tolerance);
    if (edges < 0) {
      // Rounding prevents the expansion: the face competes with its support distance.
      f->distance = e.m->rank[best] = reach;
      f->final = 1;
    } else if (!add_cone(&e, edges, e.vertex_count)) {
      break;
    } else {
      ++e.vertex_count;
    }
    const int next = nearest_face(&e);
    if (next < 0) break;
    best = next;
  }
  if (best < 0) return 0;
  heft_polytope_read(scratch, e.face_count, best, p->scale, out);
  p->floor = -out->gap;
  if (e.vertex_count == EPA_VERTEX_MAX) try_all_faces(p, &e, out);
  out->gap = -cores_reach(p, out->normal);
  *faces = e.face_count;
  return 1;
}
