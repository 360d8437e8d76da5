// SPDX-License-Identifier: Apache-2.0
// Rays against single shapes.
//
// A ray o + t d enters a convex shape where the last of its bounding surfaces is crossed inward.
// For an ellipsoid and a sphere the crossing is the lower root of a quadratic, with the closest
// approach taken out first so that distant origins lose no digits; slabs and planes are linear.
#include "collision/ray.h"

#include <string.h>

#include "collision/triangle_mesh.h"
#include "math/triangle.h"

// The lower root of |o + t d|² = r², d any length; infinity if there is none. The squared
// distance of the centre from the ray decides.
static double enter_ball(HeftVec3 o, HeftVec3 d, double r) {
  const double dd = heft_vec3_dot(d, d);
  if (!(dd > 0)) return HUGE_VAL;
  const double middle = -heft_vec3_dot(o, d) / dd;
  const HeftVec3 nearest = heft_vec3_add_scaled(o, middle, d);
  const double rest = r * r - heft_vec3_dot(nearest, nearest);
  if (!(rest >= 0)) return HUGE_VAL;
  return middle - sqrt(rest / dd);
}

static double ray_sphere(HeftVec3 o, HeftVec3 d, double r, HeftVec3* n) {
  const double t = enter_ball(o, d, r);
  if (!(t >= 0) || isinf(t)) return HUGE_VAL;
  *n = heft_vec3_normalize(heft_vec3_add_scaled(o, t, d));
  return t;
}

static double ray_ellipsoid(const Geometry* g, HeftVec3 o, HeftVec3 d, HeftVec3* n) {
  const double* e = g->size;
  const HeftVec3 so = heft_vec3(o.x / e[0], o.y / e[1], o.z / e[2]);
  const HeftVec3 sd = heft_vec3(d.x / e[0], d.y / e[1], d.z / e[2]);
  const double t = enter_ball(so, sd, 1);
  if (!(t >= 0) || isinf(t)) return HUGE_VAL;
  const HeftVec3 p = heft_vec3_add_scaled(so, t, sd);
  *n = heft_vec3_normalize(heft_vec3(p.x / e[0], p.y / e[1], p.z / e[2]));
  return t;
}

// The part of a ray between two parallel planes at ±h.
static int clip_slab(double o, double d, double h, double* enter, double* leave, double* side) {
  if (d == 0) return fabs(o) <= h;
  const double first = (d > 0 ? -h - o : h - o) / d, last = (d > 0 ? h - o : -h - o) / d;
  if (first > *enter) {
    *enter = first;
    *side = d > 0 ? -1 : 1;
  } else {
    *side = 0;
  }
  if (last < *leave) *leave = last;
  return *enter <= *leave;
}

static double ray_box(const Geometry* g, HeftVec3 from, HeftVec3 direction, HeftVec3* n) {
  const double o[3] = {from.x, from.y, from.z}, d[3] = {direction.x, direction.y, direction.z};
  double enter = -HUGE_VAL, leave = HUGE_VAL, normal[3] = {0, 0, 0};
  for (int k = 0; k < 3; ++k) {
    double side = 0;
    if (!clip_slab(o[k], d[k], g->size[k], &enter, &leave, &side)) return HUGE_VAL;
    if (side != 0) {
      memset(normal, 0, sizeof normal);
      normal[k] = side;
    }
  }
  *n = heft_vec3_from(normal);
  return enter >= 0 ? enter : HUGE_VAL;
}

static double ray_cylinder(const Geometry* g, HeftVec3 o, HeftVec3 d, HeftVec3* n) {
  const double r = g->size[0], h = g->size[1];
  double enter = -HUGE_VAL, leave = HUGE_VAL, side = 0;
  if (!clip_slab(o.z, d.z, h, &enter, &leave, &side)) return HUGE_VAL;
  *n = heft_vec3(0, 0, side);
  const HeftVec3 fo = heft_vec3(o.x, o.y, 0), fd = heft_vec3(d.x, d.y, 0);
  const double dd = heft_vec3_dot(fd, fd);
  if (dd > 0) {
    const double middle = -heft_vec3_dot(fo, fd) / dd;
    const HeftVec3 nearest = heft_vec3_add_scaled(fo, middle, fd);
    const double rest = r * r - heft_vec3_dot(nearest, nearest);
    if (!(rest >= 0)) return HUGE_VAL;
    const double half = sqrt(rest / dd);
    if (middle - half > enter) {
      enter = middle - half;
      *n = heft_vec3_normalize(heft_vec3_add_scaled(fo, enter, fd));
    }
    leave = fmin(leave, middle + half);
  } else if (heft_vec3_dot(fo, fo) > r * r) {
    return HUGE_VAL;
  }
  return enter >= 0 && enter <= leave ? enter : HUGE_VAL;
}

// The side between the ends, or one of the end balls: whichever comes first.
static double ray_capsule(const Geometry* g, HeftVec3 o, HeftVec3 d, HeftVec3* n) {
  const double r = g->size[0], h = g->size[1];
  const double z = fmin(fmax(o.z, -h), h);
  const HeftVec3 away = heft_vec3(o.x, o.y, o.z - z);
  if (heft_vec3_dot(away, away) < r * r) return HUGE_VAL;  // starts inside
  double best = HUGE_VAL;
  const HeftVec3 fo = heft_vec3(o.x, o.y, 0), fd = heft_vec3(d.x, d.y, 0);
  const double t = enter_ball(fo, fd, r);
  if (t >= 0 && !isinf(t) && fabs(o.z + t * d.z) <= h) {
    best = t;
    *n = heft_vec3_normalize(heft_vec3_add_scaled(fo, t, fd));
  }
  for (int k = 0; k < 2; ++k) {
    HeftVec3 m;
    const double s = ray_sphere(heft_vec3(o.x, o.y, o.z - (k ? h : -h)), d, r, &m);
    if (s < best) {
      best = s;
      *n = m;
    }
  }
  return best;
}

// Ends at the first face that shows a miss: most rays that meet the box of a hull miss the hull.
static double ray_hull(const Hull* h, HeftVec3 o, HeftVec3 d, double reach, HeftVec3* n) {
  double enter = -HUGE_VAL, leave = reach;
  for (int f = 0; f < h->face_count; ++f) {
    const HeftVec3 m = heft_vec3(h->nx[f], h->ny[f], h->nz[f]);
    const double above = heft_vec3_dot(m, o) - h->offset[f], rate = heft_vec3_dot(m, d);
    if (rate < 0) {
      if (above + rate * enter > 0) {
        enter = -above / rate;
        *n = m;
      }
    } else if (rate > 0) {
      if (above + rate * leave > 0) leave = -above / rate;
    } else if (above > 0) {
      return HUGE_VAL;
    }
    if (enter > leave) return HUGE_VAL;
  }
  return enter >= 0 ? enter : HUGE_VAL;
}

// ---- triangle meshes

typedef struct Search {
  const TriangleMesh* triangle_mesh;
  HeftVec3 a, d;  // origin and direction, or the point
  int item;
  HeftVec3 pos;
} Search;

// [Möller 1997], front sides only.
static double visit_ray(void* user, int item, double best) {
  Search* s = user;
  const Triangle* t = &s->triangle_mesh->triangle[item];
  const double rate = heft_vec3_dot(t->normal, s->d);
  if (!(rate < 0)) return best;
  const HeftVec3 p = s->triangle_mesh->vertex[t->vertex[0]];
  const HeftVec3 e1 = heft_vec3_sub(s->triangle_mesh->vertex[t->vertex[1]], p);
  const HeftVec3 e2 = heft_vec3_sub(s->triangle_mesh->vertex[t->vertex[2]], p);
  const HeftVec3 q = heft_vec3_cross(s->d, e2), o = heft_vec3_sub(s->a, p);
  const double det = heft_vec3_dot(e1, q);
  if (!(det > 0)) return best;
  const double u = heft_vec3_dot(o, q) / det;
  const HeftVec3 w = heft_vec3_cross(o, e1);
  const double v = heft_vec3_dot(s->d, w) / det, at = heft_vec3_dot(e2, w) / det;
  const double slack = 1e-12;
  if (u < -slack || v < -slack || u + v > 1 + slack || !(at >= 0) || !(at < best)) return best;
  s->item = item;
  return at;
}

static double visit_near(void* user, int item, double best) {
  Search* s = user;
  const Triangle* t = &s->triangle_mesh->triangle[item];
  const HeftVec3 q = heft_triangle_closest(s->triangle_mesh->vertex[t->vertex[0]],
                                           s->triangle_mesh->vertex[t->vertex[1]],
                                           s->triangle_mesh->vertex[t->vertex[2]], s->a);
  const double d = heft_vec3_norm(heft_vec3_sub(s->a, q));
  if (!(d < best) && !(d == best && s->item < 0)) return best;
  s->item = item;
  s->pos = q;
  return d;
}

double heft_triangle_mesh_closest(const Geometry* g, HeftVec3 p, double reach, HeftVec3* on_surface,
                                  HeftVec3* normal) {
  Search s = {.triangle_mesh = g->triangle_mesh, .a = p, .item = -1};
  const double d = heft_tree8_nearest(&g->triangle_mesh->tree, p, reach, visit_near, &s);
  if (s.item < 0) return HUGE_VAL;
  *on_surface = s.pos;
  *normal = g->triangle_mesh->triangle[s.item].normal;
  return d;
}

double heft_geometry_ray(const Geometry* g, HeftVec3 from, HeftVec3 direction, double reach,
                         HeftVec3* normal) {
  switch (g->kind) {
    case KIND_PLANE: {
      *normal = heft_vec3(0, 0, 1);
      return direction.z < 0 && from.z >= 0 ? -from.z / direction.z : HUGE_VAL;
    }
    case KIND_SPHERE:
      return ray_sphere(from, direction, g->size[0], normal);
    case KIND_CAPSULE:
      return ray_capsule(g, from, direction, normal);
    case KIND_CYLINDER:
      return ray_cylinder(g, from, direction, normal);
    case KIND_ELLIPSOID:
      return ray_ellipsoid(g, from, direction, normal);
    case KIND_BOX:
      return ray_box(g, from, direction, normal);
    case KIND_HULL:
      return ray_hull(g->hull, from, direction, reach, normal);
    case KIND_TRIANGLE_MESH:
    case KIND_FIELD: {
      Search s = {.triangle_mesh = g->triangle_mesh, .a = from, .d = direction, .item = -1};
      const double t =
          heft_tree8_cast(&g->triangle_mesh->tree, from, direction, reach, visit_ray, &s);
      if (s.item < 0) return HUGE_VAL;
      *normal = g->triangle_mesh->triangle[s.item].normal;
      return t;
    }
    case KIND_TRIANGLE:
    case KIND_COUNT:
      break;
  }
  return HUGE_VAL;
}
