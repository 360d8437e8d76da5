// SPDX-License-Identifier: Apache-2.0
// Papers: R58.
// Contact points of a detector of the user's (HeftDetector). They are checked: a number that is not
// finite, or a normal without unit length, must not reach the solver.
#include "collision/collider.h"
#include "math/scalar.h"

static const double unit_error = 1e-6;  // of the length of a normal
static const double gap_max = 1e9;      // [m]

void heft_collider_use_detector(HeftCollider* c, const HeftDetector* detector, const void* user) {
  c->detector = detector;
  c->detector_user = user;
}

int heft_collider_detects(const HeftCollider* c, int a, int b) {
  const HeftDetector* d = c->detector;
  if (!d || !d->takes) return d != NULL;
  const int first = a < b ? a : b, second = a < b ? b : a;
  return d->takes(c->detector_user, c->model, c->slot[first].shape, c->slot[second].shape);
}

static int is_point(const HeftDetectedPoint* p) {
  const double length = heft_vec3_norm(p->normal), place = heft_vec3_dot(p->pos, p->pos);
  return fabs(length - 1) <= unit_error && place < HUGE_VAL && fabs(p->gap) <= gap_max &&
         p->feature <= INT64_MAX;  // higher ones are Heft's (blocked.c)
}

static int has_feature(const Manifold* m, uint64_t feature) {
  for (int k = 0; k < m->count; ++k) {
    if (m->point[k].feature == feature) return 1;
  }
  return 0;
}

int heft_collider_detect(const HeftCollider* c, int a, int b, const Rows* x, const Rows* y,
                         double reach, Manifold* out) {
  HeftDetectedPoint found[HEFT_DETECTED_MAX];
  const HeftDetectorPair pair = {.model = c->model,
                                 .shape_a = c->slot[a].shape,
                                 .shape_b = c->slot[b].shape,
                                 .b_in_a = heft_rows_relative(x, y),
                                 .margin = heft_max(reach, 0)};
  out->count = 0;
  const int count = c->detector->collide(c->detector_user, &pair, found);
  if (count < 0 || count > HEFT_DETECTED_MAX) return 1;
  int refused = 0;
  for (int k = 0; k < count; ++k) {
    const HeftDetectedPoint* p = &found[k];
    if (!is_point(p) || has_feature(out, p->feature)) {
      ++refused;
    } else if (p->gap <= reach) {
      const HeftVec3 normal = heft_vec3_scale(1 / heft_vec3_norm(p->normal), p->normal);
      out->point[out->count++] =
          (Point){.pos = p->pos, .normal = normal, .gap = p->gap, .feature = p->feature};
    }
  }
  return refused;
}
