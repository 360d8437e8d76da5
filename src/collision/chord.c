// SPDX-License-Identifier: Apache-2.0
// Chords: a convex shape is the intersection of slabs, half-spaces and quadrics, or the union of
// two balls and what is between them, and so is the part of a line inside of it.
#include "collision/chord.h"

#include <math.h>

#include "base/assert.h"

// The part with |o + t d| <= r, cut from t. d: any length.
static int cut_by_ball(HeftVec3 o, HeftVec3 d, double r, double t[2]) {
  const double dd = heft_vec3_dot(d, d);
  if (!(dd > 0)) return heft_vec3_dot(o, o) <= r * r;
  const double middle = -heft_vec3_dot(o, d) / dd;
  const HeftVec3 nearest = heft_vec3_add_scaled(o, middle, d);
  const double rest = r * r - heft_vec3_dot(nearest, nearest);
  if (!(rest >= 0)) return 0;
  const double half = sqrt(rest / dd);
  t[0] = fmax(t[0], middle - half);
  t[1] = fmin(t[1], middle + half);
  return t[0] <= t[1];
}

// The part with above + rate t <= 0.
static int cut_by_plane(double above, double rate, double t[2]) {
  if (rate == 0) return above <= 0;
  const double at = -above / rate;
  if (rate > 0) {
    t[1] = fmin(t[1], at);
  } else {
    t[0] = fmax(t[0], at);
  }
  return t[0] <= t[1];
}

static int cut_by_slab(double o, double d, double h, double t[2]) {
  return cut_by_plane(o - h, d, t) && cut_by_plane(-o - h, -d, t);
}

static int cut_by_hull(const Hull* h, HeftVec3 o, HeftVec3 d, double t[2]) {
  for (int f = 0; f < h->face_count; ++f) {
    const HeftVec3 m = heft_vec3(h->nx[f], h->ny[f], h->nz[f]);
    if (!cut_by_plane(heft_vec3_dot(m, o) - h->offset[f], heft_vec3_dot(m, d), t)) return 0;
  }
  return 1;
}

static int chord_of_tube(const double size[3], HeftVec3 o, HeftVec3 d, double t[2]) {
  return cut_by_slab(o.z, d.z, size[1], t) &&
         cut_by_ball(heft_vec3(o.x, o.y, 0), heft_vec3(d.x, d.y, 0), size[0], t);
}

static int chord_of_capsule(const double size[3], HeftVec3 o, HeftVec3 d, double t[2]) {
  int any = 0;
  double all[2] = {HUGE_VAL, -HUGE_VAL};
  for (int k = 0; k < 3; ++k) {
    double part[2] = {-HUGE_VAL, HUGE_VAL};
    const HeftVec3 from = heft_vec3(o.x, o.y, o.z + (k == 1 ? size[1] : -size[1]));
    const int found =
        k == 0 ? chord_of_tube(size, o, d, part) : cut_by_ball(from, d, size[0], part);
    if (!found) continue;
    any = 1;
    all[0] = fmin(all[0], part[0]);
    all[1] = fmax(all[1], part[1]);
  }
  t[0] = all[0];
  t[1] = all[1];
  return any;
}

int heft_geometry_chord(const Geometry* g, HeftVec3 o, HeftVec3 d, double t[2]) {
  const double* s = g->size;
  t[0] = -HUGE_VAL;
  t[1] = HUGE_VAL;
  switch (g->kind) {
    case KIND_PLANE:
      return cut_by_plane(o.z, d.z, t);
    case KIND_SPHERE:
      return cut_by_ball(o, d, s[0], t);
    case KIND_CAPSULE:
      return chord_of_capsule(s, o, d, t);
    case KIND_CYLINDER:
      return chord_of_tube(s, o, d, t);
    case KIND_ELLIPSOID:
      return cut_by_ball(heft_vec3(o.x / s[0], o.y / s[1], o.z / s[2]),
                         heft_vec3(d.x / s[0], d.y / s[1], d.z / s[2]), 1, t);
    case KIND_BOX:
      return cut_by_slab(o.x, d.x, s[0], t) && cut_by_slab(o.y, d.y, s[1], t) &&
             cut_by_slab(o.z, d.z, s[2], t);
    case KIND_HULL:
      return cut_by_hull(g->hull, o, d, t);
    case KIND_TRIANGLE:
    case KIND_TRIANGLE_MESH:
    case KIND_FIELD:
    case KIND_COUNT:
      break;
  }
  HEFT_ASSERT(0);
  return 0;
}
