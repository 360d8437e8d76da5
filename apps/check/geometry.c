// SPDX-License-Identifier: Apache-2.0
// Geometry by support functions. s(n) = max n·x over a shape. Along a unit direction n from a to b
//
//     separation(n) = -s_b(-n) - s_a(n) <= distance of a and b,
//
// for every n: a plane between them, moved as far as it goes. So a single n proves that two shapes
// are apart, or overlap by no more than -separation(n), however n was found. The depth is
// -max separation(n). For planes, balls and capsules, boxes, and a ball or capsule with a box whose
// cores do not overlap, the largest is found among finitely many n; these are exact. Other pairs
// try the normals of the evidence, axes and the line of centres, and prove what they can.
#include <math.h>

#include "check.h"

Pose shape_pose(const Frames* f, int shape) {
  const Shape* s = &model.shape[shape];
  const Pose* b = &f->body[s->body];
  return (Pose){product(b->r, s->r), place(*b, s->pos)};
}

Vec farthest(const Shape* s, Vec n, int* known) {
  const Vec z = s->size, e = vec(z.x * n.x, z.y * n.y, z.z * n.z);
  const double radial = sqrt(n.x * n.x + n.y * n.y), up = copysign(z.y, n.z), length = norm(e);
  int best = s->vertex;
  switch (s->type) {
    case SPHERE:
      return scale(z.x, unit(n));
    case CAPSULE:
      return add(scale(z.x, unit(n)), vec(0, 0, up));
    case CYLINDER:
      return radial > 0 ? vec(z.x * n.x / radial, z.x * n.y / radial, up) : vec(0, 0, up);
    case ELLIPSOID:
      return length > 0 ? vec(z.x * e.x / length, z.y * e.y / length, z.z * e.z / length) : e;
    case BOX:
      return vec(copysign(z.x, n.x), copysign(z.y, n.y), copysign(z.z, n.z));
    case MESH:
      for (int i = s->vertex; i < s->vertex_end; ++i)
        if (dot(n, model.vertex[i]) > dot(n, model.vertex[best])) best = i;
      *known &= s->vertex < s->vertex_end;
      return s->vertex < s->vertex_end ? model.vertex[best] : z;
    default:
      *known &= s->type == PLANE && n.z > 0 && radial < 1e-12;
      return vec(0, 0, 0);
  }
}

static Vec support(int shape, Pose x, Vec n, int* known) {
  return place(x, farthest(&model.shape[shape], turn_back(x.r, n), known));
}

// From the support of a to the support of b.
static Vec across(int a, Pose x, int b, Pose y, Vec n, int* known) {
  return sub(support(b, y, scale(-1, n), known), support(a, x, n, known));
}

static double along(int a, Pose x, int b, Pose y, Vec n) {
  int known = 1;
  const double d = dot(n, across(a, x, b, y, n, &known));
  return known ? d : -HUGE_VAL;
}

double separation(const Frames* f, int a, int b, Vec n) {
  return along(a, shape_pose(f, a), b, shape_pose(f, b), n);
}

typedef struct Search {
  int a, b;
  Pose x, y;
  Apart best;
} Search;

// Tries a direction, of any length.
static void attempt(Search* s, Vec n) {
  const double length = norm(n);
  if (!(length > 1e-9)) return;
  n = scale(1 / length, n);
  const double d = along(s->a, s->x, s->b, s->y, n);
  if (d > s->best.distance) s->best.distance = d, s->best.normal = n;
}

static void attempt_both(Search* s, Vec n) {
  attempt(s, n);
  attempt(s, scale(-1, n));
}

// Half of the segment that is the core of a ball or capsule.
static Vec core(int shape, Pose x) {
  const Shape* s = &model.shape[shape];
  return scale(s->type == CAPSULE ? s->size.y : 0, x.r.z);
}

// The place on the segment c ± half that is nearest to p.
static Vec nearest_on_segment(Vec c, Vec half, Vec p) {
  const double square = dot(half, half);
  return square > 0 ? add(c, scale(clamp(dot(half, sub(p, c)) / square, -1, 1), half)) : c;
}

// Two segments: the nearest places are at an end of one of them, or where their common normal is.
static void attempt_segments(Search* s) {
  const Vec p = s->x.p, q = s->y.p, u = core(s->a, s->x), v = core(s->b, s->y), w = cross(u, v);
  double least = HUGE_VAL;
  Vec best = {0, 0, 0};
  for (int i = -1; i <= 1; i += 2) {
    const Vec at = add(p, scale(i, u)), on = add(q, scale(i, v));
    const Vec d[2] = {sub(nearest_on_segment(q, v, at), at), sub(on, nearest_on_segment(p, u, on))};
    for (int k = 0; k < 2; ++k)
      if (norm(d[k]) < least) least = norm(d[k]), best = d[k];
  }
  const double square = dot(w, w);
  if (square > 1e-12 * dot(u, u) * dot(v, v)) {
    const Vec d = sub(q, p);
    const double i = dot(cross(d, v), w) / square, k = dot(cross(d, u), w) / square;
    if (fabs(i) <= 1 && fabs(k) <= 1) best = sub(add(q, scale(k, v)), add(p, scale(i, u)));
    attempt_both(s, w);
  }
  attempt(s, best);
}

static Vec nearest_in_box(int box, Pose x, Vec p) {
  const Vec z = model.shape[box].size, y = turn_back(x.r, sub(p, x.p));
  return place(x, vec(clamp(y.x, -z.x, z.x), clamp(y.y, -z.y, z.y), clamp(y.z, -z.z, z.z)));
}

// A segment and a box: nearest places by turns; the distance is convex, so that this converges.
// Where the segment is nearly parallel to a face it converges slowly, but then an axis of the box
// is better. Returns 0 if the segment meets the box.
static int attempt_round_box(Search* s, int round, Pose x, int box, Pose y) {
  const Vec half = core(round, x);
  Vec p = nearest_on_segment(x.p, half, y.p);
  for (int i = 0; i < 60; ++i) {
    const Vec next = nearest_on_segment(x.p, half, nearest_in_box(box, y, p));
    const double moved = norm(sub(next, p));
    p = next;
    if (moved < 1e-15) break;
  }
  const Vec q = nearest_in_box(box, y, p);
  attempt(s, round == s->a ? sub(q, p) : sub(p, q));
  return norm(sub(p, q)) > 0;
}

// The axes of both shapes and their products: all that can separate two boxes.
static void attempt_axes(Search* s) {
  const Vec a[3] = {s->x.r.x, s->x.r.y, s->x.r.z}, b[3] = {s->y.r.x, s->y.r.y, s->y.r.z};
  for (int i = 0; i < 3; ++i) {
    attempt_both(s, a[i]);
    attempt_both(s, b[i]);
    for (int k = 0; k < 3; ++k) {
      const Vec n = cross(a[i], b[k]);
      if (norm(n) > 1e-6) attempt_both(s, n);
    }
  }
}

// Gilbert's method: p is a difference of points of both shapes, and the next support along it
// brings it nearer to zero. Where the shapes are apart, p becomes a direction that separates them.
static void attempt_nearest(Search* s) {
  Vec p = sub(s->y.p, s->x.p);
  int known = 1;
  for (int i = 0; i < 30 && known && s->best.distance < 0 && norm(p) > 0; ++i) {
    attempt(s, p);
    const Vec d = sub(across(s->a, s->x, s->b, s->y, p, &known), p);
    const double square = dot(d, d);
    p = square > 0 ? add(p, scale(clamp(-dot(p, d) / square, 0, 1), d)) : p;
  }
}

static int is_round(int shape) {
  return model.shape[shape].type == SPHERE || model.shape[shape].type == CAPSULE;
}

Apart apart(const Frames* f, int a, int b, Vec hint) {
  Search s = {a, b, shape_pose(f, a), shape_pose(f, b), {-HUGE_VAL, {0, 0, 1}, 1}};
  const int type_a = model.shape[a].type, type_b = model.shape[b].type;
  if (type_a == PLANE) {
    attempt(&s, s.x.r.z);
  } else if (type_b == PLANE) {
    attempt(&s, scale(-1, s.y.r.z));
  } else if (is_round(a) && is_round(b)) {
    attempt_segments(&s);
  } else {
    attempt(&s, hint);
    attempt_nearest(&s);
    s.best.exact = 0;
    if (s.best.distance >= 0 && norm(hint) == 0) return s.best;
    if (type_a != MESH || type_b != MESH) attempt_axes(&s);
    s.best.exact = type_a == BOX && type_b == BOX;
    if (is_round(a) && type_b == BOX) s.best.exact = attempt_round_box(&s, a, s.x, b, s.y);
    if (is_round(b) && type_a == BOX) s.best.exact = attempt_round_box(&s, b, s.y, a, s.x);
  }
  s.best.exact &= s.best.distance > -HUGE_VAL;  // a mesh that is not convex has no supports here
  return s.best;
}

double surface(const Frames* f, int shape, Vec point) {
  const Shape* s = &model.shape[shape];
  const Pose x = shape_pose(f, shape);
  const Vec y = turn_back(x.r, sub(point, x.p)), z = s->size;
  const double radial = sqrt(y.x * y.x + y.y * y.y) - z.x, axial = fabs(y.z) - z.y;
  const Vec d = {fabs(y.x) - z.x, fabs(y.y) - z.y, fabs(y.z) - z.z};
  switch (s->type) {
    case PLANE:
      return y.z;
    case SPHERE:
      return norm(y) - z.x;
    case CAPSULE:
      return norm(vec(y.x, y.y, larger(axial, 0))) - z.x;
    case CYLINDER:
      return hypot(larger(radial, 0), larger(axial, 0)) + smaller(larger(radial, axial), 0);
    case BOX:
      return norm(vec(larger(d.x, 0), larger(d.y, 0), larger(d.z, 0))) +
             smaller(larger(d.x, larger(d.y, d.z)), 0);
    default:
      return (double)NAN;
  }
}
