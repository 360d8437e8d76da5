// SPDX-License-Identifier: Apache-2.0
// Any two convex shapes: normal and depth from their cores, points from the features that meet.
#include "collision/narrow.h"

// 1 if the shapes' bounding boxes, turned as the shapes are, are farther apart than the margin
// along an axis of one of them, or along a product of two. Spares hulls with many corners the
// distance loop. One axis after the other (box_axes.c has them side by side): most shapes are apart
// along one of the first.
static int boxes_apart(const Geometry* a, const Geometry* b, const HeftPose* x, double margin) {
  const HeftVec3 d = heft_vec3_sub(heft_pose_apply(*x, b->center), a->center);
  const double t[3] = {d.x, d.y, d.z}, ha[3] = {a->half.x, a->half.y, a->half.z};
  const double hb[3] = {b->half.x, b->half.y, b->half.z};
  const double(*r)[3] = x->rot.m;
  for (int i = 0; i < 3; ++i) {
    const double reach =
        ha[i] + fabs(r[i][0]) * hb[0] + fabs(r[i][1]) * hb[1] + fabs(r[i][2]) * hb[2];
    if (fabs(t[i]) > reach + margin) return 1;
  }
  for (int j = 0; j < 3; ++j) {
    const double along = t[0] * r[0][j] + t[1] * r[1][j] + t[2] * r[2][j];
    const double reach =
        hb[j] + fabs(r[0][j]) * ha[0] + fabs(r[1][j]) * ha[1] + fabs(r[2][j]) * ha[2];
    if (fabs(along) > reach + margin) return 1;
  }
  for (int i = 0; i < 3; ++i) {
    const int p = i == 2 ? 0 : i + 1, q = p == 2 ? 0 : p + 1;
    for (int j = 0; j < 3; ++j) {
      const int k = j == 2 ? 0 : j + 1, l = k == 2 ? 0 : k + 1;
      const double np = -r[q][j], nq = r[p][j];  // e_i × r_j, not longer than 1
      const double along = t[p] * np + t[q] * nq;
      const double reach = ha[p] * fabs(np) + ha[q] * fabs(nq) +
                           hb[k] * fabs(np * r[p][k] + nq * r[q][k]) +
                           hb[l] * fabs(np * r[p][l] + nq * r[q][l]);
      if (fabs(along) > reach + margin) return 1;
    }
  }
  return 0;
}

// Clearly apart, by more than rounding, along the direction that had them apart before.
static int still_apart(const NarrowScratch* scratch, const Geometry* a, const Geometry* b,
                       const HeftPose* x, double reach) {
  const SeparatingAxis* p = scratch->separating_axis;
  if (!p || p->key != scratch->separating_axis_key) return 0;
  const HeftVec3 m = heft_vec3_neg(heft_mat3_tmul_vec(x->rot, p->axis));
  const HeftVec3 on_b = heft_pose_apply(*x, heft_geometry_support(b, m));
  const HeftVec3 d = heft_vec3_sub(on_b, heft_geometry_support(a, p->axis));
  const double size = heft_vec3_norm(a->half) + heft_vec3_norm(b->half);
  return heft_vec3_dot(d, p->axis) > reach + 1e-9 * size;
}

void heft_convex_convex(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                        NarrowScratch* scratch, Candidates* out) {
  Nearness near;
  const double reach = margin + a->radius + b->radius;
  SeparatingAxis* separating_axis = scratch->separating_axis;
  if (still_apart(scratch, a, b, x, reach)) return;
  if (b->kind == KIND_HULL && boxes_apart(a, b, x, margin)) return;
  near.normal = heft_vec3(0, 0, 0);
  if (!heft_nearness(a, b, x, reach, &scratch->epa, &near)) {
    if (separating_axis && heft_vec3_dot(near.normal, near.normal) > 0) {
      *separating_axis = (SeparatingAxis){scratch->separating_axis_key, near.normal};
    }
    return;
  }
  const HeftVec3 middle = heft_vec3_scale(0.5, heft_vec3_add(near.on_a, near.on_b));
  heft_manifold_of_features(a, b, x, near.normal, middle, near.gap, margin, out);
}
