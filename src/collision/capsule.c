// SPDX-License-Identifier: Apache-2.0
// Two capsules: the closest points of two segments, and for nearly parallel ones also the ends.
//
// On the lines p = c_a + s u, q = c_b + t w with unit u, w and d = c_b - c_a, the squared distance
// is smallest at s = (d·u - (u·w) d·w) / (1 - (u·w)²), t = s (u·w) - d·w; on the segments s and t
// are clamped in turn: s first, and again only if t had to be ([Ericson 2004],
// section 5.1.9).
#include "collision/narrow.h"
#include "math/scalar.h"

static double clamp(double x, double limit) { return heft_clamp(x, -limit, limit); }

static void add_pair(Candidates* out, HeftVec3 p, HeftVec3 q, double ra, double rb, double margin,
                     HeftVec3 fallback, uint64_t feature) {
  const HeftVec3 d = heft_vec3_sub(q, p);
  const double norm = heft_vec3_norm(d), gap = norm - ra - rb;
  if (!(gap <= margin)) return;
  // Axes that cross each other: the difference of their points is rounding, not a direction.
  const int crossing = !(norm > 1e-11 * (ra + rb));
  const HeftVec3 n = crossing ? fallback : heft_vec3_normalize(d);
  const HeftVec3 middle = heft_vec3_scale(0.5, heft_vec3_add(p, q));
  candidate_add(out, heft_vec3_add_scaled(middle, 0.5 * (ra - rb), n), n, gap, feature);
}

// A normal for axes that cross: across both, or across one if they are parallel.
static HeftVec3 across_both(HeftVec3 u, HeftVec3 w) {
  const HeftVec3 c = heft_vec3_cross(u, w);
  if (heft_vec3_dot(c, c) > 1e-20) return heft_vec3_normalize(c);
  HeftVec3 t1, t2;
  heft_vec3_tangents(u, &t1, &t2);
  return t1;
}

void heft_capsule_capsule(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                          Candidates* out) {
  const HeftVec3 u = heft_vec3(0, 0, 1), w = heft_mat3_column(x->rot, 2), d = x->pos;
  const double ha = a->size[1], hb = b->size[1], ra = a->size[0], rb = b->size[0];
  const double uw = w.z, du = d.z, dw = heft_vec3_dot(d, w);
  const double sine2 = w.x * w.x + w.y * w.y;
  const HeftVec3 fallback = across_both(u, w);
  double s = sine2 > 1e-30 ? clamp((du - uw * dw) / sine2, ha) : 0;
  double t = s * uw - dw;
  if (fabs(t) > hb) {
    t = clamp(t, hb);
    s = clamp(du + t * uw, ha);
  }
  const HeftVec3 p = heft_vec3(0, 0, s), q = heft_vec3_add_scaled(d, t, w);
  if (sine2 > 0.01) {
    add_pair(out, p, q, ra, rb, margin, fallback,
             feature_pair(part_id(PART_EDGE, 0), part_id(PART_EDGE, 0)));
    return;
  }
  for (int k = 0; k < 4; ++k) {
    const double sign = k & 1 ? 1 : -1;
    if (k < 2) {
      const double at = sign * ha * uw - dw;
      if (!(fabs(at) <= hb * (1 + 1e-9))) continue;
      add_pair(out, heft_vec3(0, 0, sign * ha), heft_vec3_add_scaled(d, clamp(at, hb), w), ra, rb,
               margin, fallback, feature_pair(part_id(PART_CORNER, k), part_id(PART_EDGE, 0)));
    } else {
      const double at = du + sign * hb * uw;
      if (!(fabs(at) <= ha * (1 + 1e-9))) continue;
      add_pair(out, heft_vec3(0, 0, clamp(at, ha)), heft_vec3_add_scaled(d, sign * hb, w), ra, rb,
               margin, fallback, feature_pair(part_id(PART_EDGE, 0), part_id(PART_CORNER, k - 2)));
    }
  }
  double min = HUGE_VAL;
  for (int k = 0; k < out->count; ++k) min = fmin(min, out->point[k].gap);
  const double gap = heft_vec3_norm(heft_vec3_sub(q, p)) - ra - rb;
  if (gap < min - 1e-12 * (ra + rb)) {
    add_pair(out, p, q, ra, rb, margin, fallback,
             feature_pair(part_id(PART_EDGE, 0), part_id(PART_EDGE, 0)));
  }
}
