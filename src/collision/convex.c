// SPDX-License-Identifier: Apache-2.0
// Any two convex shapes: normal and depth from their cores, points from the features that meet.
#include "collision/narrow.h"

void heft_convex_convex(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                        NarrowScratch* scratch, Candidates* out) {
  Nearness near;
  const double reach = margin + a->radius + b->radius;
  if (!heft_nearness(a, b, x, reach, &scratch->epa, &near)) return;
  const HeftVec3 middle = heft_vec3_scale(0.5, heft_vec3_add(near.on_a, near.on_b));
  heft_manifold_of_features(a, b, x, near.normal, middle, near.gap, margin, out);
}
