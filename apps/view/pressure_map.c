// SPDX-License-Identifier: Apache-2.0
// The contact points between two bodies, or a body and a deformable one, are a patch. In the plane
// of its mean normal, tiles fill the convex hull of the points. The colour of a tile is the
// pressure there: the mean of the points' pressures with weights 1/d^4 of their distances
// [Shepard 1968]. The pressure of a point of area contact is force / area; the points of other
// contacts share the area of the hull evenly.
#include "view/pressure_map.h"

#include <stdio.h>

#include "view/color_map.h"

enum { POINTS_MAX = 256, TILES = 16 };  // points of a patch; tiles along its longer side

typedef struct Patch {
  HeftVec3 at[POINTS_MAX];  // in the plane: x, y along t1, t2, z along n [m]
  double force[POINTS_MAX], pressure[POINTS_MAX];
  HeftVec3 hull[2 * POINTS_MAX];
  int count, corners;
  HeftVec3 n, t1, t2;
  HeftVec3 center;  // of pressure, in the world
  double total;     // normal force [N]
} Patch;

// Bodies that are nodes of one deformable body are one.
static int group_of(const HeftModel* m, int body) {
  for (int d = 0; d < m->ndeformable; ++d) {
    const int first = m->deformable_node[d], end = first + m->deformable_node_count[d];
    for (int i = first; i < end; ++i) {
      if (m->node_body[i] == body) return m->nbody + d;
    }
  }
  return body;
}

static double turn(HeftVec3 a, HeftVec3 b, HeftVec3 c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static void sort_points(HeftVec3* p, int n) {
  for (int i = 1; i < n; ++i) {
    const HeftVec3 x = p[i];
    int k = i;
    for (; k > 0 && (p[k - 1].x > x.x || (p[k - 1].x == x.x && p[k - 1].y > x.y)); --k)
      p[k] = p[k - 1];
    p[k] = x;
  }
}

// Convex hull [Andrew 1979]: the lower chain from left to right, the upper back. hull holds 2 n.
static int hull_of(HeftVec3* p, int n, HeftVec3* hull) {
  int k = 0;
  sort_points(p, n);
  for (int i = 0; i < n; ++i) {
    while (k >= 2 && turn(hull[k - 2], hull[k - 1], p[i]) <= 0) --k;
    hull[k++] = p[i];
  }
  for (int i = n - 2, lower = k + 1; i >= 0; --i) {
    while (k >= lower && turn(hull[k - 2], hull[k - 1], p[i]) <= 0) --k;
    hull[k++] = p[i];
  }
  return k - 1;
}

static double hull_area(const Patch* p) {
  double sum = 0;
  for (int i = 1; i + 1 < p->corners; ++i) sum += turn(p->hull[0], p->hull[i], p->hull[i + 1]);
  return 0.5 * sum;
}

static HeftVec3 in_plane(const Patch* p, HeftVec3 x) {
  return heft_vec3(heft_vec3_dot(x, p->t1), heft_vec3_dot(x, p->t2), heft_vec3_dot(x, p->n));
}

static HeftVec3 in_world(const Patch* p, HeftVec3 x) {
  return heft_vec3_add_scaled(heft_vec3_add_scaled(heft_vec3_scale(x.x, p->t1), x.y, p->t2), x.z,
                              p->n);
}

static double normal_force(const HeftContact* c) { return heft_vec3_dot(c->force, c->normal); }

static int same_patch(const HeftModel* m, const HeftContact* a, const HeftContact* b) {
  if (a->body_a == b->body_a && a->body_b == b->body_b) return 1;
  if (m->ndeformable == 0) return 0;
  return group_of(m, a->body_a) == group_of(m, b->body_a) &&
         group_of(m, a->body_b) == group_of(m, b->body_b);
}

// The frame of the patch of a contact. Returns 0 if an earlier contact has the same patch, or none
// carries a force.
static int aim(Patch* p, const HeftModel* m, const HeftSnapshot* s, int first) {
  HeftVec3 sum = {0, 0, 0}, middle = {0, 0, 0};
  p->total = 0;
  for (int i = 0; i < s->contact_count; ++i) {
    const HeftContact* c = &s->contact[i];
    if (!same_patch(m, &s->contact[first], c)) continue;
    if (i < first) return 0;
    const double f = normal_force(c);
    if (!(f > 0)) continue;
    p->total += f;
    sum = heft_vec3_add_scaled(sum, f, c->normal);
    middle = heft_vec3_add_scaled(middle, f, c->pos);
  }
  if (!(heft_vec3_norm(sum) > 0)) return 0;
  p->n = heft_vec3_normalize(sum);
  p->center = heft_vec3_scale(1 / p->total, middle);
  heft_vec3_tangents(p->n, &p->t1, &p->t2);
  return 1;
}

static int gather(Patch* p, const HeftModel* m, const HeftSnapshot* s, int first) {
  HeftVec3 sorted[POINTS_MAX] = {{0, 0, 0}};
  p->count = p->corners = 0;
  if (!aim(p, m, s, first)) return 0;
  for (int i = first; i < s->contact_count && p->count < POINTS_MAX; ++i) {
    const HeftContact* c = &s->contact[i];
    if (!same_patch(m, &s->contact[first], c)) continue;
    const double f = fmax(0, normal_force(c));
    sorted[p->count] = p->at[p->count] = in_plane(p, c->pos);
    p->force[p->count] = f;
    p->pressure[p->count++] = c->area > 0 ? f / c->area : -1;
  }
  if (p->count > 2) p->corners = hull_of(sorted, p->count, p->hull);
  const double area = hull_area(p);
  for (int i = 0; i < p->count; ++i) {
    if (p->pressure[i] < 0) p->pressure[i] = area > 0 ? p->force[i] * p->count / area : 0;
  }
  return 1;
}

static double pressure_at(const Patch* p, double x, double y) {
  double sum = 0, weights = 0;
  for (int i = 0; i < p->count; ++i) {
    const double dx = p->at[i].x - x, dy = p->at[i].y - y, d = dx * dx + dy * dy;
    const double w = 1 / fmax(d * d, 1e-18);
    sum += w * p->pressure[i];
    weights += w;
  }
  return sum / weights;
}

static int inside(const Patch* p, HeftVec3 x) {
  for (int i = 0; i < p->corners; ++i) {
    if (turn(p->hull[i], p->hull[(i + 1) % p->corners], x) < 0) return 0;
  }
  return p->corners > 2;
}

static void add_tiles(HeftMarks* marks, const Patch* p, double top) {
  HeftVec3 low = p->hull[0], high = p->hull[0];
  for (int i = 1; i < p->corners; ++i) {
    low = heft_vec3(fmin(low.x, p->hull[i].x), fmin(low.y, p->hull[i].y), 0);
    high = heft_vec3(fmax(high.x, p->hull[i].x), fmax(high.y, p->hull[i].y), 0);
  }
  const double side = fmax(high.x - low.x, high.y - low.y) / TILES,
               z = heft_vec3_dot(p->center, p->n);
  if (!(side > 0)) return;
  for (int i = 0; i < TILES * TILES; ++i) {
    const int column = i % TILES, line = i / TILES;
    const HeftVec3 at = heft_vec3(low.x + (column + 0.5) * side, low.y + (line + 0.5) * side, z);
    if (!inside(p, at)) continue;
    HeftMark* tile = heft_marks_add(marks, HEFT_MARK_TILE, in_world(p, at), p->n, 0.5 * side, 0xff);
    if (!tile) return;
    color_map(pressure_at(p, at.x, at.y) / top, tile->color);
    tile->on_top = 1;  // it lies inside of both shapes
  }
}

static void add_edges(HeftMarks* marks, const Patch* p, double thick, double length) {
  for (int i = 0; p->corners > 2 && i < p->corners; ++i) {
    const HeftVec3 from = in_world(p, p->hull[i]), to = in_world(p, p->hull[(i + 1) % p->corners]);
    HeftMark* edge = heft_marks_add(marks, HEFT_MARK_ROD, from, heft_vec3_sub(to, from),
                                    0.4 * thick, 0x2f7fe0ff);
    if (edge) edge->on_top = 1;
  }
  HeftMark* disc = heft_marks_add(marks, HEFT_MARK_DISC, p->center, p->n, 2 * thick, 0xf0f4ffff);
  if (disc) disc->on_top = 1;
  heft_marks_add(marks, HEFT_MARK_ARROW, p->center, heft_vec3_scale(0.4 * length * p->total, p->n),
                 0.8 * thick, 0x2f7fe0ff);
}

double heft_snapshot_peak_pressure(const HeftContact* contact, int count) {
  double peak = 0;
  for (int i = 0; i < count; ++i) {
    if (contact[i].area > 0) peak = fmax(peak, normal_force(&contact[i]) / contact[i].area);
  }
  return peak;
}

// 1, 2 or 5 times a power of ten that is not below x, so that the scale of a film seldom changes.
static double round_up(double x) {
  static const double steps[3] = {1, 2, 5};
  double ten = 1;
  while (ten < x && ten < 1e300) ten *= 10;
  while (ten > x && ten > 1e-300) ten /= 10;
  for (int i = 0; i < 3; ++i) {
    if (steps[i] * ten >= x) return steps[i] * ten;
  }
  return 10 * ten;
}

void pressure_map_add(HeftMarks* marks, const HeftModel* model, const HeftSnapshot* snapshot,
                      double thick, double length) {
  Patch p;
  double peak = 0;
  for (int i = 0; i < snapshot->contact_count; ++i) {
    if (!gather(&p, model, snapshot, i)) continue;
    for (int k = 0; k < p.count; ++k) peak = fmax(peak, p.pressure[k]);
  }
  const double top = peak > 0 ? round_up(peak) : 1;
  for (int i = 0; i < snapshot->contact_count; ++i) {
    if (!gather(&p, model, snapshot, i)) continue;
    if (p.corners > 2) add_tiles(marks, &p, top);
    add_edges(marks, &p, thick, length);
  }
  if (!(peak > 0)) return;
  HeftMark* scale = heft_marks_add(marks, HEFT_MARK_SCALE, heft_vec3(0, 0, 0), heft_vec3(0, 0, 0),
                                   top, 0xffffffff);
  if (scale) snprintf(scale->text, sizeof scale->text, "pressure");
}
