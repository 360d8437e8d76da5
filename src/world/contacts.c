// SPDX-License-Identifier: Apache-2.0
// Contacts of the last step, for people: impulses over the step's length are forces.
#include "world/world_internal.h"

int heft_world_contact_count(const HeftWorld* w) { return w->constraints->touch_count; }

static HeftVec3 combine(const HeftTouch* t, double n, double t1, double t2) {
  const HeftVec3 sum = heft_vec3_add_scaled(heft_vec3_scale(n, t->normal), t1, t->tangent1);
  return heft_vec3_add_scaled(sum, t2, t->tangent2);
}

// The touches come first in the list of constraints, in their own order.
HeftWorldContact heft_world_contact(const HeftWorld* w, int index) {
  const Constraints* c = w->constraints;
  HEFT_ASSERT(index >= 0 && index < c->touch_count);
  const HeftTouch* t = &c->touches.contact[index];
  const int row = c->list[index].row, slides = t->dim >= 3;
  const double *r = c->impulse + row, *u = c->velocity + row, rate = 1 / w->def.time_step;
  HeftWorldContact out = {.shape_a = t->shape_a,
                          .shape_b = t->shape_b,
                          .body_a = t->body_a,
                          .body_b = t->body_b,
                          .pos = t->pos,
                          .normal = t->normal,
                          .gap = t->gap};
  out.force = heft_vec3_scale(rate, combine(t, r[0], slides ? r[1] : 0, slides ? r[2] : 0));
  if (slides) out.slip = combine(t, 0, u[1], u[2]);
  if (t->dim == 4) out.moment = heft_vec3_scale(rate, combine(t, r[3], 0, 0));
  if (t->dim == 6) out.moment = heft_vec3_scale(rate, combine(t, r[5], r[3], r[4]));
  return out;
}

HeftSpatial heft_world_contact_wrench(const HeftWorld* w, int body, HeftVec3 about) {
  HeftSpatial sum = {{0, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < heft_world_contact_count(w); ++i) {
    const HeftWorldContact contact = heft_world_contact(w, i);
    if (contact.body_a != body && contact.body_b != body) continue;
    const double sign = contact.body_b == body ? 1 : -1;
    const HeftVec3 turning = heft_vec3_add(
        contact.moment, heft_vec3_cross(heft_vec3_sub(contact.pos, about), contact.force));
    sum.lin = heft_vec3_add_scaled(sum.lin, sign, contact.force);
    sum.ang = heft_vec3_add_scaled(sum.ang, sign, turning);
  }
  return sum;
}
