// SPDX-License-Identifier: Apache-2.0
// Distance by Gilbert, Johnson and Keerthi, depth by an expanding polytope.
//
// The difference D = A - B holds the origin exactly if A and B overlap. With v the point of D
// closest to the origin, |v| is the distance, and from a to b points -v.
//   Apart: v is improved with simplices of support points. For a support point w in direction -v
//   every point of D has v · x >= v · w, so |v| >= distance >= v · w / |v|: the loop ends when both
//   agree, and early when the lower bound exceeds the limit.
//   Overlapping: a polytope inside D grows at the face nearest to the origin until D's boundary is
//   reached there. Distances carry a sign, so the polytope need not hold the origin when it starts,
//   and shapes that just touch, or miss each other by rounding, need no case of their own.
// Curved shapes: the polytope finds the right side; then B is pushed out along the normal found,
// and the distance loop, which is a convex problem and converges quickly, gives the normal again.
// With ρ the radius of curvature of D and h the depth, an error of the normal shrinks by
// (h+δ)/(ρ+δ).
#include "collision/gjk.h"

#include "base/assert.h"
#include "collision/refine.h"
#include "math/simd.h"

enum { GJK_MAX = 64, HOLLOW_MAX = 8 };

static const double rounding = 4e-16;

typedef struct Pair {
  const Geometry *a, *b;
  HeftPose b_in_a;
  int vertex_a, vertex_b;  // where the last support points were found
  double scale;            // size of both, for tolerances
  double floor;            // D reaches no less far in any direction
} Pair;

// Of the core: the radius is no part of D.
static double extent(const Geometry* g) {
  const HeftVec3 core =
      heft_vec3(g->half.x - g->radius, g->half.y - g->radius, g->half.z - g->radius);
  return heft_vec3_norm(core) + heft_vec3_norm(g->center);
}

static Difference support(Pair* p, HeftVec3 d) {
  Difference s;
  s.on_a = heft_geometry_support_from(p->a, d, &p->vertex_a);
  const HeftVec3 in_b = heft_vec3_neg(heft_mat3_tmul_vec(p->b_in_a.rot, d));
  const HeftVec3 b =
      heft_pose_apply(p->b_in_a, heft_geometry_support_from(p->b, in_b, &p->vertex_b));
  s.w = heft_vec3_sub(s.on_a, b);
  return s;
}

// ---- closest point of a simplex

typedef struct Simplex {
  int count;
  Difference p[4];
  double weight[4];
} Simplex;

static void keep(Simplex* s, int count, const int* which, const double* weight) {
  Simplex out = {.count = count};
  for (int k = 0; k < count; ++k) {
    out.p[k] = s->p[which[k]];
    out.weight[k] = weight[k];
  }
  *s = out;
}

static HeftVec3 closest_segment(Simplex* s, int i, int j, int out_which[3], double out_weight[3],
                                int* count) {
  const HeftVec3 a = s->p[i].w, ab = heft_vec3_sub(s->p[j].w, a);
  const double length = heft_vec3_dot(ab, ab), along = -heft_vec3_dot(a, ab);
  if (along <= 0 || !(length > 0)) {
    *count = 1, out_which[0] = i, out_weight[0] = 1;
    return a;
  }
  if (along >= length) {
    *count = 1, out_which[0] = j, out_weight[0] = 1;
    return s->p[j].w;
  }
  const double t = along / length;
  *count = 2, out_which[0] = i, out_which[1] = j, out_weight[0] = 1 - t, out_weight[1] = t;
  return heft_vec3_add_scaled(a, t, ab);
}

// Inside of the three edge planes: the foot on the plane. Otherwise the nearest of the edges.
static HeftVec3 closest_triangle(Simplex* s, const int at[3], int which[3], double weight[3],
                                 int* count) {
  const HeftVec3 a = s->p[at[0]].w, b = s->p[at[1]].w, c = s->p[at[2]].w;
  const HeftVec3 n = heft_vec3_cross(heft_vec3_sub(b, a), heft_vec3_sub(c, a));
  const double nn = heft_vec3_dot(n, n);
  if (nn > 0) {
    const double wa = heft_vec3_dot(n, heft_vec3_cross(b, c));
    const double wb = heft_vec3_dot(n, heft_vec3_cross(c, a));
    const double wc = heft_vec3_dot(n, heft_vec3_cross(a, b));
    if (wa > 0 && wb > 0 && wc > 0) {
      const double sum = wa + wb + wc;
      *count = 3;
      for (int k = 0; k < 3; ++k) which[k] = at[k];
      weight[0] = wa / sum, weight[1] = wb / sum, weight[2] = wc / sum;
      return heft_vec3_scale(heft_vec3_dot(n, a) / nn, n);
    }
  }
  double best = HUGE_VAL;
  HeftVec3 point = a;
  for (int k = 0; k < 3; ++k) {
    int w[3], m;
    double l[3];
    const HeftVec3 p = closest_segment(s, at[k], at[(k + 1) % 3], w, l, &m);
    const double d = heft_vec3_dot(p, p);
    if (d < best) {
      best = d, point = p, *count = m;
      for (int q = 0; q < m; ++q) which[q] = w[q], weight[q] = l[q];
    }
  }
  return point;
}

// Returns 0 if the origin lies inside.
static int closest_tetrahedron(Simplex* s, HeftVec3* v) {
  static const int face[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
  double best = HUGE_VAL;
  int which[3] = {0}, count = 0, outside = 0;
  double weight[3] = {0};
  for (int f = 0; f < 4; ++f) {
    const HeftVec3 a = s->p[face[f][0]].w;
    const HeftVec3 n =
        heft_vec3_cross(heft_vec3_sub(s->p[face[f][1]].w, a), heft_vec3_sub(s->p[face[f][2]].w, a));
    const HeftVec3 d = heft_vec3_sub(s->p[face[f][3]].w, a);
    const double other = heft_vec3_dot(n, d), origin = -heft_vec3_dot(n, a);
    // A tetrahedron as flat as rounding has no inner side.
    const int flat = !(other * other > 1e-24 * heft_vec3_dot(n, n) * heft_vec3_dot(d, d));
    if (!flat && other * origin > 0) continue;  // on the inner side of this face
    outside = 1;
    int w[3] = {0}, m = 0;
    double l[3] = {0};
    const HeftVec3 p = closest_triangle(s, face[f], w, l, &m);
    const double square = heft_vec3_dot(p, p);
    if (square < best) {
      best = square, *v = p, count = m;
      for (int q = 0; q < m; ++q) which[q] = w[q], weight[q] = l[q];
    }
  }
  if (!outside) return 0;
  keep(s, count, which, weight);
  return 1;
}

static int closest(Simplex* s, HeftVec3* v) {
  int which[3] = {0}, count = 1;
  double weight[3] = {1};
  static const int all[3] = {0, 1, 2};
  switch (s->count) {
    case 1:
      s->weight[0] = 1;
      *v = s->p[0].w;
      return 1;
    case 2:
      *v = closest_segment(s, 0, 1, which, weight, &count);
      break;
    case 3:
      *v = closest_triangle(s, all, which, weight, &count);
      break;
    default:
      return closest_tetrahedron(s, v);
  }
  keep(s, count, which, weight);
  return 1;
}

static int holds(const Simplex* s, HeftVec3 w) {
  for (int k = 0; k < s->count; ++k) {
    const HeftVec3 q = s->p[k].w;
    if (q.x == w.x && q.y == w.y && q.z == w.z) return 1;
  }
  return 0;
}

typedef enum Outcome { FAR_APART, CLOSE, OVERLAP } Outcome;

static void read_witness(const Simplex* s, HeftVec3 v, Nearness* out) {
  // In a simplex as thin as rounding v need not lie in D; the mixture of its corners does.
  HeftVec3 a = {0, 0, 0}, w = {0, 0, 0};
  for (int k = 0; k < s->count; ++k) {
    a = heft_vec3_add_scaled(a, s->weight[k], s->p[k].on_a);
    w = heft_vec3_add_scaled(w, s->weight[k], s->p[k].w);
  }
  out->on_a = a;
  out->on_b = heft_vec3_sub(a, w);
  out->gap = heft_vec3_norm(w);
  out->normal = heft_vec3_scale(-1 / heft_vec3_norm(v), v);
}

static Outcome distance(Pair* p, HeftVec3 direction, double limit, double tolerance,
                        Nearness* out) {
  Simplex s = {.count = 1};
  s.p[0] = support(p, direction);
  HeftVec3 v = s.p[0].w;
  s.weight[0] = 1;
  const double touch = 1e-10 * p->scale;
  double square = heft_vec3_dot(v, v);
  for (int k = 0; k < GJK_MAX; ++k) {
    if (square <= touch * touch) return OVERLAP;
    const Difference w = support(p, heft_vec3_neg(v));
    const double bound = heft_vec3_dot(v, w.w);
    if (bound > 0 && bound * bound > limit * limit * square) {
      out->normal = heft_vec3_scale(-1 / sqrt(square), v);
      return FAR_APART;
    }
    if (square - bound <= tolerance * square + rounding * p->scale * sqrt(square)) break;
    if (holds(&s, w.w)) break;
    const Simplex last = s;
    s.p[s.count++] = w;
    HeftVec3 next;
    if (!closest(&s, &next)) return OVERLAP;
    const double shorter = heft_vec3_dot(next, next);
    if (!(shorter < square)) {  // rounding has the last word
      s = last;
      break;
    }
    v = next;
    square = shorter;
  }
  read_witness(&s, v, out);
  return CLOSE;
}

// ---- expanding polytope

enum { DEAD, ALIVE, SEEN };

typedef struct Epa {
  EpaScratch* m;
  int vertex_count, face_count;
  double sliver;  // twice the area of a face that has no normal worth the name
  HeftVec3 inside;
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
  // Of the three corners the mean is the most exact.
  f->distance =
      (heft_vec3_dot(f->normal, a) + heft_vec3_dot(f->normal, b) + heft_vec3_dot(f->normal, c)) / 3;
}

static void set_face(Epa* e, int at, int a, int b, int c) {
  EpaFace* f = &e->m->face[at];
  f->vertex[0] = a, f->vertex[1] = b, f->vertex[2] = c;
  f->state = ALIVE;
  f->final = 0;
  set_plane(e, f);
  e->m->rank[at] = f->distance;
}

// A support point that is far from what is there, by trying both directions.
static Difference farther(Pair* p, HeftVec3 d, HeftVec3 from) {
  const Difference s = support(p, d), t = support(p, heft_vec3_neg(d));
  const double ds = fabs(heft_vec3_dot(d, heft_vec3_sub(s.w, from)));
  const double dt = fabs(heft_vec3_dot(d, heft_vec3_sub(t.w, from)));
  return ds >= dt ? s : t;
}

static HeftVec3 across(HeftVec3 d) {
  const double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
  const HeftVec3 axis =
      x <= y && x <= z ? heft_vec3(1, 0, 0) : (y <= z ? heft_vec3(0, 1, 0) : heft_vec3(0, 0, 1));
  return heft_vec3_normalize(heft_vec3_cross(d, axis));
}

// A tetrahedron of support points, as large as four directions give it. Returns 0 if D is flat.
static int start_polytope(Pair* p, Epa* e, HeftVec3 toward) {
  Difference* v = e->m->vertex;
  v[0] = support(p, toward);
  v[1] = support(p, heft_vec3_neg(toward));
  const HeftVec3 line = heft_vec3_normalize(heft_vec3_sub(v[1].w, v[0].w));
  const HeftVec3 side = across(line);
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
HEFT_CLONES static int epa_least(const double* x, int n) {
  V8 least = v8_all(HUGE_VAL);
  I8 at = {0}, index = {0, 1, 2, 3, 4, 5, 6, 7};
  for (int i = 0; i < n; i += 8) {
    const V8 v = v8_load(x + i);
    const I8 better = v < least;
    least = v8_select(better, v, least);
    at = (better & index) | (~better & at);
    index += 8;
  }
  int lane = 0;
  for (int k = 1; k < 8; ++k) {
    if (least[k] < least[lane] || (least[k] == least[lane] && at[k] < at[lane])) lane = k;
  }
  return least[lane] < HUGE_VAL ? (int)at[lane] : -1;
}

static int nearest_face(const Epa* e) {
  const int padded = (e->face_count + 7) / 8 * 8;
  for (int f = e->face_count; f < padded; ++f) e->m->rank[f] = HUGE_VAL;
  return epa_least(e->m->rank, padded);
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
  face[start].state = SEEN;
  int done = 0;
  while (done < depth) {
    const int f = stack[done++];
    ++seen;
    for (int k = 0; k < 3; ++k) {
      const int g = face[f].next[k];
      if (face[g].state != ALIVE) continue;
      const HeftVec3 d = heft_vec3_sub(w, e->m->vertex[face[g].vertex[0]].w);
      const int visible = isinf(face[g].distance) || heft_vec3_dot(face[g].normal, d) > tolerance;
      if (!visible) continue;
      face[g].state = SEEN;
      stack[depth++] = g;
    }
  }
  for (int i = 0; i < depth; ++i) {
    for (int k = 0; k < 3; ++k) {
      const int g = face[stack[i]].next[k];
      if (face[g].state == SEEN) continue;
      e->m->horizon[edges][0] = g;
      e->m->horizon[edges++][1] = edge_of(&face[g], stack[i]);
    }
  }
  if (edges < 3 || edges != seen + 2 || !is_simple(e, edges)) {
    for (int i = 0; i < depth; ++i) face[stack[i]].state = ALIVE;
    return -1;
  }
  for (int i = 0; i < depth; ++i) {
    face[stack[i]].state = DEAD;
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
  int* made = e->m->stack + EPA_FACE_MAX - edges;
  if (e->face_count + 2 > EPA_FACE_MAX || freed + edges > EPA_FACE_MAX) return 0;
  sort_ascending(e->m->stack, freed);
  for (int i = 0; i < edges; ++i) {
    const int place = i < freed ? e->m->stack[i] : e->face_count++;
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
static HeftVec3 foot_on(const Epa* e, const EpaFace* face, HeftVec3* on_a) {
  Simplex s = {.count = 3};
  for (int k = 0; k < 3; ++k) s.p[k] = e->m->vertex[face->vertex[k]];
  HeftVec3 foot;
  closest(&s, &foot);
  *on_a = heft_vec3(0, 0, 0);
  for (int k = 0; k < s.count; ++k) *on_a = heft_vec3_add_scaled(*on_a, s.weight[k], s.p[k].on_a);
  return foot;
}

// A flat side of D may be several triangles of the same plane, and the foot lies in one of them.
static void read_face(const Epa* e, int f, double scale, Nearness* out) {
  const EpaFace* face = &e->m->face[f];
  double least = HUGE_VAL;
  for (int g = 0; g < e->face_count; ++g) {
    const EpaFace* other = &e->m->face[g];
    if (other->state != ALIVE || !(fabs(other->distance - face->distance) <= 1e-11 * scale))
      continue;
    if (heft_vec3_dot(other->normal, face->normal) < 1 - 1e-10) continue;
    HeftVec3 on_a;
    const HeftVec3 foot = foot_on(e, other, &on_a);
    const double length = heft_vec3_dot(foot, foot);
    if (!(length < least)) continue;
    least = length;
    out->on_a = on_a;
  }
  out->normal = face->normal;
  out->gap = -face->distance;
  out->on_b = heft_vec3_add_scaled(out->on_a, out->gap, face->normal);
}

static double depth_along(Pair* p, HeftVec3 n) { return heft_vec3_dot(n, support(p, n).w); }

// A round body needed more corners than there is room for: the best of the directions tried so far.
static void try_all_faces(Pair* p, const Epa* e, Nearness* out) {
  double least = depth_along(p, out->normal);
  for (int f = 0; f < e->face_count; ++f) {
    const EpaFace* face = &e->m->face[f];
    if (face->state != ALIVE || !(face->distance < least)) continue;  // it reaches that far itself
    const double depth = depth_along(p, face->normal);
    if (depth < least) {
      least = depth;
      read_face(e, f, p->scale, out);
    }
  }
}

static int penetration(Pair* p, double tolerance, EpaScratch* scratch, int* faces, Nearness* out) {
  Epa e = {.m = scratch, .sliver = 1e-18 * p->scale * p->scale};
  HeftVec3 toward = heft_vec3_normalize(p->b_in_a.pos);
  if (heft_vec3_dot(toward, toward) == 0) toward = heft_vec3(0, 0, 1);
  if (!start_polytope(p, &e, toward)) return 0;
  int best = nearest_face(&e);
  while (best >= 0 && !e.m->face[best].final) {
    EpaFace* f = &e.m->face[best];
    const Difference w = support(p, f->normal);
    const double reach = heft_vec3_dot(f->normal, w.w);
    if (reach - f->distance <= tolerance || e.vertex_count == EPA_VERTEX_MAX) break;
    e.m->vertex[e.vertex_count] = w;
    const int edges = mark_visible(&e, best, w.w, 0.01 * tolerance);
    if (edges < 0) {
      // Rounding stands in the way here: it competes with what it is worth, others may be better.
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
  read_face(&e, best, p->scale, out);
  p->floor = -out->gap;
  if (e.vertex_count == EPA_VERTEX_MAX) try_all_faces(p, &e, out);
  out->gap = -depth_along(p, out->normal);
  *faces = e.face_count;
  return 1;
}

// ---- faces and curved surfaces: the last digits of the normal

// The face of one of the two that looks along the normal; 0 if there is none nearby.
static int face_normal(const Pair* p, const Geometry* g, HeftVec3 normal, HeftVec3* n) {
  if (g->kind != KIND_BOX && g->kind != KIND_HULL && g->kind != KIND_CYLINDER &&
      g->kind != KIND_TRIANGLE) {
    return 0;
  }
  Feature f;
  const int is_b = g == p->b;
  heft_geometry_feature(g, is_b ? heft_vec3_neg(heft_mat3_tmul_vec(p->b_in_a.rot, normal)) : normal,
                        &f);
  if (f.count < 3) return 0;
  *n = is_b ? heft_vec3_neg(heft_mat3_mul_vec(p->b_in_a.rot, f.normal)) : f.normal;
  return heft_vec3_dot(*n, normal) >= 0.999;
}

// 1 if one point of a core looks along m more than all others, clearly.
static int has_single_point(const Geometry* g, HeftVec3 m) {
  const double rho2 = m.x * m.x + m.y * m.y;
  return g->kind == KIND_ELLIPSOID || g->kind == KIND_SPHERE ||
         (g->kind == KIND_CYLINDER && rho2 > 1e-10 && fabs(m.z) > 1e-5);
}

// 1 if a point of the plane of one of its faces lies in that face.
static int holds_point(const Geometry* g, HeftVec3 q, double slack) {
  const double* s = g->size;
  if (g->kind == KIND_CYLINDER) return q.x * q.x + q.y * q.y <= s[0] * s[0];
  if (g->kind == KIND_BOX) {
    return fabs(q.x) <= s[0] + slack && fabs(q.y) <= s[1] + slack && fabs(q.z) <= s[2] + slack;
  }
  for (int f = 0; g->kind == KIND_HULL && f < g->hull->face_count; ++f) {
    const Hull* h = g->hull;
    if (h->nx[f] * q.x + h->ny[f] * q.y + h->nz[f] * q.z > h->offset[f] + slack) return 0;
  }
  return 1;
}

// The face of one meets a single point of the other: that is where they touch. Returns 0 if the
// point is beyond the face's border, so that the face is not the answer.
static int touch_face(Pair* p, int side, Nearness* out) {
  const HeftVec3 n = out->normal, m = heft_vec3_neg(heft_mat3_tmul_vec(p->b_in_a.rot, n));
  const Geometry *owner = side == 0 ? p->a : p->b, *other = side == 0 ? p->b : p->a;
  out->on_b = heft_vec3_add_scaled(out->on_a, out->gap, n);
  if (!has_single_point(other, side == 0 ? m : n)) return 1;
  const Difference w = support(p, n);
  const HeftVec3 b = heft_vec3_sub(w.on_a, w.w);
  out->on_b = side == 0 ? b : heft_vec3_add_scaled(w.on_a, out->gap, n);
  out->on_a = side == 0 ? heft_vec3_add_scaled(b, -out->gap, n) : w.on_a;
  const HeftVec3 q = side == 0 ? out->on_a : heft_pose_apply_inverse(p->b_in_a, out->on_b);
  return holds_point(owner, q, 1e-12 * p->scale);
}

// If the normal of a face of a or b does as well, it is the exact one. Returns 1 if one was taken
// and is the answer for all that can be seen.
static int snap_to_faces(Pair* p, double slack, Nearness* out) {
  HeftVec3 n, best = out->normal;
  double least = -out->gap + slack;
  int found = -1;
  for (int side = 0; side < 2; ++side) {
    if (!face_normal(p, side == 0 ? p->a : p->b, out->normal, &n)) continue;
    const double depth = depth_along(p, n);
    if (!(depth <= least - (found >= 0 ? 1e-15 * p->scale : 0))) continue;
    least = depth;
    best = n;
    found = side;
  }
  if (found < 0) return 0;
  out->normal = best;
  out->gap = -least;
  return touch_face(p, found, out);
}

// 1 if two parallel faces look at each other.
static int faces_meet(const Pair* p, HeftVec3 normal) {
  HeftVec3 a, b;
  if (!face_normal(p, p->a, normal, &a) || !face_normal(p, p->b, normal, &b)) return 0;
  return heft_vec3_norm(heft_vec3_cross(a, b)) <= 1e-12;
}

// Of the faces that may lead below `depth`, and look elsewhere than all directions in `seen`, the
// one along whose normal D reaches the least, as rank says; -1 if there is none.
static int other_hollow(const EpaScratch* m, int faces, double depth, const HeftVec3* seen,
                        int count) {
  int best = -1;
  double least = HUGE_VAL;
  for (int f = 0; f < faces; ++f) {
    const EpaFace* face = &m->face[f];
    if (!(m->rank[f] < least) || !(face->distance < depth)) continue;
    int known = 0;
    for (int k = 0; k < count && !known; ++k) known = heft_vec3_dot(face->normal, seen[k]) > 0.99;
    if (known) continue;
    least = m->rank[f];
    best = f;
  }
  return best;
}

// Two hollows of nearly the same depth: faces of the polytope that the best answer does not rule
// out, and that look elsewhere, are followed as well, the most promising first.
static void try_other_hollows(Pair* p, EpaScratch* scratch, int faces, Nearness* best) {
  const Epa e = {.m = scratch, .face_count = faces};
  HeftVec3 seen[2 * HOLLOW_MAX + 1] = {best->normal};
  for (int f = 0; f < faces; ++f) {
    const EpaFace* face = &scratch->face[f];
    const int open = face->state == ALIVE && face->distance < -best->gap - 1e-14 * p->scale &&
                     heft_vec3_dot(face->normal, best->normal) <= 0.99;
    scratch->rank[f] = open ? depth_along(p, face->normal) : HUGE_VAL;
  }
  for (int tried = 0; tried < HOLLOW_MAX; ++tried) {
    const int f = other_hollow(scratch, faces, -best->gap - 1e-14 * p->scale, seen, 2 * tried + 1);
    if (f < 0) return;
    Nearness other;
    read_face(&e, f, p->scale, &other);
    seen[2 * tried + 1] = other.normal;
    other.gap = -depth_along(p, other.normal);
    heft_refine(p->a, p->b, &p->b_in_a, VICINITY_WIDE, p->floor, &other);
    snap_to_faces(p, 1e-14 * p->scale, &other);
    seen[2 * tried + 2] = other.normal;
    if (other.gap > best->gap) *best = other;
  }
}

// Round bodies about nearly one centre have hollows along their axes, so flat that the polytope
// need not tell them apart.
static void try_axes(Pair* p, Nearness* best) {
  HeftVec3 n = {0, 0, 0};
  double least = -best->gap - 1e-14 * p->scale;
  for (int k = 0; k < 12; ++k) {
    const Geometry* g = k < 6 ? p->a : p->b;
    if (!heft_geometry_is_smooth(g)) continue;
    HeftVec3 axis = heft_vec3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
    if (k >= 6) axis = heft_mat3_mul_vec(p->b_in_a.rot, axis);
    if (k % 6 >= 3) axis = heft_vec3_neg(axis);
    const double depth = depth_along(p, axis);
    if (!(depth < least)) continue;
    least = depth;
    n = axis;
  }
  if (heft_vec3_dot(n, n) == 0) return;
  const Difference w = support(p, n);
  *best = (Nearness){n, -least, w.on_a, heft_vec3_add_scaled(w.on_a, -least, n)};
  heft_refine(p->a, p->b, &p->b_in_a, VICINITY_WIDE, p->floor, best);
}

// Too far from the truth for Newton's method: the polytope is grown to the last digit.
static void finish_stuck(Pair* p, EpaScratch* scratch, Nearness* out) {
  Nearness fine;
  int faces = 0;
  if (!scratch || !penetration(p, 1e-12 * p->scale, scratch, &faces, &fine)) return;
  heft_refine(p->a, p->b, &p->b_in_a, VICINITY_CLOSE_THEN_WIDE, p->floor, &fine);
  snap_to_faces(p, 1e-14 * p->scale, &fine);
  if (fine.gap > out->gap - 1e-14 * p->scale) *out = fine;  // its points belong to its normal
}

static void finish_curved(Pair* p, EpaScratch* scratch, int faces, Nearness* out) {
  if (faces_meet(p, out->normal) && snap_to_faces(p, 1e-11 * p->scale, out)) return;
  Nearness face = *out;
  const int flat = snap_to_faces(p, 1e-9 * p->scale, &face);
  const Vicinity around = flat ? VICINITY_CLOSE : VICINITY_CLOSE_THEN_WIDE;
  const int settled = heft_refine(p->a, p->b, &p->b_in_a, around, p->floor, out);
  const int snapped = snap_to_faces(p, 1e-14 * p->scale, out);
  try_axes(p, out);
  try_other_hollows(p, scratch, faces, out);
  if (!settled && !snapped) finish_stuck(p, scratch, out);
}

// The distance loop knows the distance to the last digit but the normal only to half of them, which
// is felt where a face meets a face.
static void finish_apart(Pair* p, EpaScratch* scratch, Nearness* out) {
  if (fabs(out->gap + depth_along(p, out->normal)) <= 1e-14 * p->scale) return;
  const double before = out->gap;
  p->floor = -out->gap;
  int done = snap_to_faces(p, 1e-12 * p->scale, out);
  const Vicinity around = done ? VICINITY_CLOSE : VICINITY_CLOSE_THEN_WIDE;
  done |= heft_refine(p->a, p->b, &p->b_in_a, around, p->floor, out);
  done |= snap_to_faces(p, 0, out);
  if (!done) finish_stuck(p, scratch, out);
  if (!(out->gap > 0)) out->gap = before;
}

// Apart after all: rounding had the origin inside of a simplex. The polytope knows the direction.
static void ask_again(Pair* p, EpaScratch* scratch, Nearness* out) {
  Nearness apart;
  if (distance(p, out->normal, HUGE_VAL, 0, &apart) != CLOSE) return;
  finish_apart(p, scratch, &apart);
  if (-depth_along(p, apart.normal) > out->gap) *out = apart;
}

int heft_nearness(const Geometry* a, const Geometry* b, const HeftPose* b_in_a, double limit,
                  EpaScratch* scratch, Nearness* out) {
  HEFT_ASSERT(a->kind != KIND_PLANE && a->kind != KIND_SOUP);
  HEFT_ASSERT(b->kind != KIND_PLANE && b->kind != KIND_SOUP);
  Pair p = {.a = a, .b = b, .b_in_a = *b_in_a, .scale = extent(a) + extent(b)};
  HeftVec3 direction = heft_vec3_sub(heft_pose_apply(*b_in_a, b->center), a->center);
  const int smooth = heft_geometry_is_smooth(a) || heft_geometry_is_smooth(b);
  const Outcome outcome = distance(&p, direction, fmax(limit, 0), smooth ? 1e-15 : 0, out);
  if (outcome == FAR_APART) return 0;
  if (outcome == CLOSE) {
    if (!(out->gap <= fmax(limit, 0))) return 0;
    finish_apart(&p, scratch, out);
    return 1;
  }
  if (!scratch) return 0;
  const double tolerance = (smooth ? 1e-6 : 1e-13) * p.scale;
  int faces = 0;
  if (!penetration(&p, tolerance, scratch, &faces, out)) {
    // D is flat: a normal across it, and no depth.
    const HeftVec3 along = heft_vec3_normalize(direction);
    out->normal = across(heft_vec3_dot(along, along) > 0 ? along : heft_vec3(0, 0, 1));
    out->gap = 0;
    out->on_a = out->on_b = heft_vec3_scale(0.5, b_in_a->pos);
    return 1;
  }
  if (smooth) {
    finish_curved(&p, scratch, faces, out);
  } else {
    snap_to_faces(&p, 1e-12 * p.scale, out);
  }
  if (out->gap > 1e-9 * p.scale) ask_again(&p, scratch, out);
  return 1;
}
