// SPDX-License-Identifier: Apache-2.0
// The last digits of a normal, by Newton's method on the features that meet.
//
// With h(n) the support function of D = A - B, distance and depth are both -min h(n) over all unit
// n, so of two directions the one with the smaller h is always the better answer. At
// the minimum of h the support point of D along n is h n itself: its part normal to n is zero.
//   A core looks along n with a corner, an edge, or a curved part. A corner adds nothing to the
//   curvature of h. An ellipsoid with S = diag(size²) and k = √(mᵀ S m) has x = S m / k and the
//   Hessian (S - x xᵀ) / k; a cylinder's rim r u with u = (m_x, m_y) / ρ has r/ρ across u. An edge
//   is a kink: its direction e is square to n, and the point lies anywhere on it.
// So for each choice of edges (or none) near n:
//   none   two angles: on the sphere the curvature is tᵢᵀ H tⱼ - h δᵢⱼ, the slope x · tᵢ
//   one    one angle, about e
//   two    n = e₁ × e₂
// Where a curvature is negative its size is taken, so that every step leads downhill, however
// different the sizes of the shapes are. A choice of features reaches no farther along n than the
// cores do, so its own minimum of h may lie anywhere below; the search ends when it is below the
// bound of D. Parallel edges count as one. Faces need no search: their normals are known.
#include "collision/refine.h"

enum { EDGE_MAX = 6, NEWTON_MAX = 20, ROUND_MAX = 6 };

// Sine of the angle up to which an edge is tried.
static const double close_to_edge[2] = {2e-3, 5e-2};

typedef struct Edge {
  HeftVec3 start, way;  // in a's frame
} Edge;

// The part of a core that looks along n. Edge 0 is none: only the corner or curved part.
typedef struct Side {
  const Geometry* g;
  const HeftPose* x;  // NULL for a
  HeftVec3 corner;    // in its own frame
  double close;       // sine
  int count;
  Edge edge[EDGE_MAX];
} Side;

static HeftVec3 look(const Side* s, HeftVec3 n) {
  return s->x ? heft_vec3_neg(heft_mat3_tmul_vec(s->x->rot, n)) : n;
}

static void add_edge(Side* s, HeftVec3 m, HeftVec3 start, HeftVec3 way) {
  const double length = heft_vec3_norm(way);
  if (s->count == EDGE_MAX || !(length > 0)) return;
  if (!(fabs(heft_vec3_dot(m, way)) <= s->close * length)) return;
  Edge* e = &s->edge[s->count++];
  e->start = s->x ? heft_pose_apply(*s->x, start) : start;
  e->way = s->x ? heft_mat3_mul_vec(s->x->rot, way) : way;
}

static void find_edges(Side* s, HeftVec3 m, int vertex) {
  const Geometry* g = s->g;
  const double p[3] = {s->corner.x, s->corner.y, s->corner.z};
  if (g->kind == KIND_CAPSULE || g->kind == KIND_CYLINDER) {
    add_edge(s, m, s->corner, heft_vec3(0, 0, -2 * p[2]));
  } else if (g->kind == KIND_BOX) {
    for (int k = 0; k < 3; ++k) {
      const double way = -2 * p[k];
      add_edge(s, m, s->corner, heft_vec3(k == 0 ? way : 0, k == 1 ? way : 0, k == 2 ? way : 0));
    }
  } else if (g->kind == KIND_HULL) {
    const Hull* h = g->hull;
    for (int k = h->neighbour_first[vertex]; k < h->neighbour_first[vertex + 1]; ++k) {
      const int i = h->neighbour[k];
      add_edge(s, m, s->corner, heft_vec3_sub(heft_vec3(h->x[i], h->y[i], h->z[i]), s->corner));
    }
  } else if (g->kind == KIND_TRIANGLE) {
    for (int k = 0; k < 3; ++k) {
      add_edge(s, m, s->corner, heft_vec3_sub(g->corner[k], s->corner));
    }
  }
}

static void show(Side* s, const Geometry* g, const HeftPose* x, HeftVec3 n) {
  int vertex = 0;
  s->g = g;
  s->x = x;
  s->count = 1;
  const HeftVec3 m = look(s, n);
  s->corner = heft_geometry_support_from(g, m, &vertex);
  s->edge[0].way = heft_vec3(0, 0, 0);
  find_edges(s, m, vertex);
}

// The point that looks along n; on a cylinder at the end where its corner is.
static HeftVec3 point_along(const Side* s, HeftVec3 n) {
  HeftVec3 p = s->corner;
  if (heft_geometry_is_smooth(s->g)) {
    p = heft_geometry_support(s->g, look(s, n));
    if (s->g->kind == KIND_CYLINDER) p.z = s->corner.z;
  }
  return s->x ? heft_pose_apply(*s->x, p) : p;
}

// uᵀ H v, with H the Hessian of the core's support function at n.
static double curvature(const Side* s, HeftVec3 n, HeftVec3 u, HeftVec3 v) {
  if (!heft_geometry_is_smooth(s->g)) return 0;
  const double* size = s->g->size;
  const HeftVec3 m = look(s, n), p = look(s, u), q = look(s, v);
  if (s->g->kind == KIND_CYLINDER) {
    const double rho2 = m.x * m.x + m.y * m.y;
    const double across = (m.x * p.y - m.y * p.x) * (m.x * q.y - m.y * q.x);
    return rho2 > 0 ? size[0] * across / (rho2 * sqrt(rho2)) : 0;
  }
  const HeftVec3 x = heft_geometry_support(s->g, m);
  const double k = heft_vec3_dot(x, m);
  const double pq =
      size[0] * size[0] * p.x * q.x + size[1] * size[1] * p.y * q.y + size[2] * size[2] * p.z * q.z;
  return k > 0 ? (pq - heft_vec3_dot(x, p) * heft_vec3_dot(x, q)) / k : 0;
}

typedef struct CorePair {
  Side a, b;
  double scale, floor;
} CorePair;

static HeftVec3 difference(const CorePair* m, HeftVec3 n) {
  return heft_vec3_sub(point_along(&m->a, n), point_along(&m->b, n));
}

static double bend(const CorePair* m, HeftVec3 n, HeftVec3 u, HeftVec3 v) {
  return curvature(&m->a, n, u, v) + curvature(&m->b, n, u, v);
}

// A step that went uphill is halved.
static HeftVec3 halfway(HeftVec3 a, HeftVec3 b) { return heft_vec3_normalize(heft_vec3_add(a, b)); }

// The step (u, v) for a slope (g1, g2) and curvatures (a, b; b, c), taken as |H|: since H² = tr H -
// det, that is ±H, or (tr H - 2 det) / s where the eigenvalues differ in sign, s apart.
static void newton_step(double a, double b, double c, double g1, double g2, double* u, double* v) {
  double det = a * c - b * b;
  if (det < 0) {
    const double s = sqrt((a - c) * (a - c) + 4 * b * b), trace = a + c;
    a = (trace * a - 2 * det) / s, c = (trace * c - 2 * det) / s, b = trace * b / s;
    det = -det;
  } else if (a + c < 0) {
    a = -a, b = -b, c = -c;
  }
  det += 1e-30 * (a * a + c * c);
  *u = -(c * g1 - b * g2) / det;
  *v = -(a * g2 - b * g1) / det;
}

static HeftVec3 find_free(const CorePair* m, HeftVec3 n) {
  HeftVec3 last = n;
  double min = HUGE_VAL;
  for (int k = 0; k < NEWTON_MAX; ++k) {
    HeftVec3 t1, t2;
    const HeftVec3 x = difference(m, n);
    const double h = heft_vec3_dot(x, n);
    if (h > min + 1e-15 * m->scale) {
      n = halfway(last, n);
      continue;
    }
    if (h < m->floor) break;
    min = h;
    last = n;
    heft_vec3_tangents(n, &t1, &t2);
    const double g1 = heft_vec3_dot(x, t1), g2 = heft_vec3_dot(x, t2);
    double u, v;
    newton_step(bend(m, n, t1, t1) - h, bend(m, n, t1, t2), bend(m, n, t2, t2) - h, g1, g2, &u, &v);
    const double far = fmax(fabs(u), fabs(v));
    if (!(far > 1e-16)) break;
    if (far > 0.3) u *= 0.3 / far, v *= 0.3 / far;
    n = heft_vec3_normalize(heft_vec3_add_scaled(heft_vec3_add_scaled(n, u, t1), v, t2));
    if (far < 1e-9) break;
  }
  return n;
}

static HeftVec3 square_to(HeftVec3 n, HeftVec3 e) {
  return heft_vec3_normalize(heft_vec3_add_scaled(n, -heft_vec3_dot(n, e), e));
}

static HeftVec3 find_about(const CorePair* m, HeftVec3 way, HeftVec3 n) {
  const HeftVec3 e = heft_vec3_normalize(way);
  n = square_to(n, e);
  HeftVec3 last = n;
  double min = HUGE_VAL;
  for (int k = 0; k < NEWTON_MAX; ++k) {
    const HeftVec3 t = heft_vec3_cross(e, n), x = difference(m, n);
    const double slope = heft_vec3_dot(x, t), h = heft_vec3_dot(x, n);
    if (h > min + 1e-15 * m->scale) {
      n = square_to(halfway(last, n), e);
      continue;
    }
    if (h < m->floor) break;
    min = h;
    last = n;
    const double curved = fabs(bend(m, n, t, t) - h);
    double step = -slope / curved;
    const double far = fabs(step);
    if (!(far > 1e-16)) break;
    if (far > 0.3) step = copysign(0.3, step);
    n = square_to(heft_vec3_add_scaled(n, step, t), e);
    if (far < 1e-9) break;
  }
  return n;
}

static double unit_share(double x) { return fmin(fmax(x, 0), 1); }

// Where on the edges the closest points lie: x + s d_a - t d_b = h n. A direction that is better
// but not yet the best leaves a rest; then the place found before is kept, and 0 is returned.
static int read_points(const CorePair* m, const Edge* ea, const Edge* eb, HeftVec3 n, double h,
                       Nearness* out) {
  const HeftVec3 a = point_along(&m->a, n), b = point_along(&m->b, n), p = ea->way, q = eb->way;
  const HeftVec3 r = heft_vec3_add_scaled(heft_vec3_sub(a, b), -h, n);
  const double pp = heft_vec3_dot(p, p), qq = heft_vec3_dot(q, q), pq = heft_vec3_dot(p, q);
  const double rp = heft_vec3_dot(r, p), rq = heft_vec3_dot(r, q), det = pp * qq - pq * pq;
  double s = 0, t = 0;
  if (det > 1e-14 * pp * qq) {
    s = unit_share((pq * rq - qq * rp) / det);
    t = unit_share((pp * rq - pq * rp) / det);
  } else if (pp > 0) {
    // A single edge, or parallel edges: the middle of the common part.
    const double end = pq / pp;
    s = 0.5 * (unit_share(fmin(0, end) - rp / pp) + unit_share(fmax(0, end) - rp / pp));
    t = qq > 0 ? unit_share((rq + s * pq) / qq) : 0;
  } else if (qq > 0) {
    t = unit_share(rq / qq);
  }
  const HeftVec3 rest = heft_vec3_add_scaled(heft_vec3_add_scaled(r, s, p), -t, q);
  const HeftVec3 middle = heft_vec3_scale(0.5, heft_vec3_add(out->on_a, out->on_b));
  const double left = heft_vec3_norm(rest);
  const int found = left <= 1e-7 * m->scale;
  out->on_a = found ? heft_vec3_add_scaled(a, s, p) : heft_vec3_add_scaled(middle, 0.5 * h, n);
  out->on_b = heft_vec3_add_scaled(out->on_a, -h, n);
  return left <= 1e-10 * m->scale;
}

static double reach_along(const Geometry* a, const Geometry* b, const HeftPose* x, HeftVec3 n) {
  const HeftVec3 m = heft_vec3_neg(heft_mat3_tmul_vec(x->rot, n));
  const HeftVec3 q = heft_pose_apply(*x, heft_geometry_support(b, m));
  return heft_vec3_dot(n, heft_vec3_sub(heft_geometry_support(a, n), q));
}

static HeftVec3 find_direction(const CorePair* m, const Edge* ea, const Edge* eb, HeftVec3 n) {
  const double pp = heft_vec3_dot(ea->way, ea->way), qq = heft_vec3_dot(eb->way, eb->way);
  if (pp > 0 && qq > 0) {
    const HeftVec3 c = heft_vec3_cross(ea->way, eb->way);
    const double cc = heft_vec3_dot(c, c);
    if (cc > 1e-24 * pp * qq) {
      return heft_vec3_scale((heft_vec3_dot(c, n) < 0 ? -1 : 1) / sqrt(cc), c);
    }
  }
  if (pp > 0) return find_about(m, ea->way, n);
  if (qq > 0) return find_about(m, eb->way, n);
  return find_free(m, n);
}

typedef struct Search {
  const Geometry *a, *b;
  const HeftPose* x;
  double scale, floor, best;
  int improved, settled;
} Search;

static void consider(Search* f, const CorePair* m, const Edge* ea, const Edge* eb, HeftVec3 d,
                     Nearness* io) {
  const double h = reach_along(f->a, f->b, f->x, d);
  if (!(h < f->best - 4e-16 * f->scale)) {
    // As good as the best so far: it may yield the closest points.
    Nearness same = *io;
    if (f->settled || !(h <= f->best + 4e-16 * f->scale)) return;
    if (!read_points(m, ea, eb, d, h, &same)) return;
    io->on_a = same.on_a;
    io->on_b = same.on_b;
    f->settled = 1;
    return;
  }
  f->best = h;
  f->improved = 1;
  f->settled = read_points(m, ea, eb, d, h, io);
  io->normal = d;
  io->gap = -h;
}

// The cap of a cylinder is a kink too: with an edge of the other, n is the axis laid square to it.
static void consider_cap(Search* f, const CorePair* m, int is_b, HeftVec3 n, Nearness* io) {
  const Side *s = is_b ? &m->b : &m->a, *other = is_b ? &m->a : &m->b;
  if (s->g->kind != KIND_CYLINDER || fabs(look(s, n).z) < 0.999) return;
  HeftVec3 axis = s->x ? heft_mat3_column(s->x->rot, 2) : heft_vec3(0, 0, 1);
  if (heft_vec3_dot(axis, n) < 0) axis = heft_vec3_neg(axis);
  for (int k = 1; k < other->count; ++k) {
    const HeftVec3 d = square_to(axis, heft_vec3_normalize(other->edge[k].way));
    consider(f, m, is_b ? &other->edge[k] : &m->a.edge[0], is_b ? &m->b.edge[0] : &other->edge[k],
             d, io);
  }
}

// Tries all choices of edges near the normal. Returns 1 if one of them was better.
static int refine_once(Search* f, double close, Nearness* io) {
  CorePair m = {.scale = f->scale, .floor = f->floor, .a = {.close = close}, .b = {.close = close}};
  const HeftVec3 n = io->normal;
  f->improved = 0;
  show(&m.a, f->a, NULL, n);
  show(&m.b, f->b, f->x, n);
  for (int i = 0; i < m.a.count; ++i) {
    for (int j = 0; j < m.b.count; ++j) {
      const Edge *ea = &m.a.edge[i], *eb = &m.b.edge[j];
      consider(f, &m, ea, eb, find_direction(&m, ea, eb, n), io);
    }
  }
  consider_cap(f, &m, 0, n, io);
  consider_cap(f, &m, 1, n, io);
  return f->improved;
}

int heft_refine(const Geometry* a, const Geometry* b, const HeftPose* b_in_a, Vicinity vicinity,
                double floor, Nearness* io) {
  Search f = {.a = a, .b = b, .x = b_in_a};
  f.scale = heft_vec3_norm(a->half) + heft_vec3_norm(b->half);
  f.floor = floor - 1e-6 * f.scale;
  f.best = reach_along(a, b, b_in_a, io->normal);
  const int first = vicinity == VICINITY_WIDE, last = vicinity != VICINITY_CLOSE;
  for (int pass = first; pass <= last && !f.settled; ++pass) {
    for (int k = 0; k < ROUND_MAX && refine_once(&f, close_to_edge[pass], io);) ++k;
  }
  io->gap = -f.best;
  return f.settled;
}
