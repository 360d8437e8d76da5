// SPDX-License-Identifier: Apache-2.0
// How a body stands: on nothing, a vertex, an edge or its sole; whether it slips; where the centre
// of pressure is. The same for every contact model, from the forces of the last step.
#include <math.h>

#include "world/models/contact_model.h"
#include "world/world_internal.h"

static const char* const shape_names[] = {
#define NAME(id, name) name,
    HEFT_CONTACT_SHAPE_LIST(NAME)
#undef NAME
};

// Points that lie off a line by less than this share of its length are on it.
static const double thin = 1e-3;

const char* heft_contact_shape_name(HeftContactShape shape) {
  return (int)shape >= 0 && shape < HEFT_CONTACT_SHAPE_COUNT ? shape_names[shape] : "unknown";
}

// A model that clamps points knows itself on which of them a body stands.
static int carries(const HeftWorld* w, int index, const HeftContact* c, int body) {
  const Constraints* all = w->constraints;
  if (c->body_a != body && c->body_b != body) return 0;
  if (all->model && all->model->clamps) return all->memory[index][1] > 0;
  return c->state != HEFT_CONTACT_OPEN;
}

// The loaded point of the body that is farthest from a line through `from` along the unit vector
// `along`; a zero vector: farthest from the point. Returns the distance.
static double farthest(const HeftWorld* w, int body, HeftVec3 from, HeftVec3 along, HeftVec3* out) {
  double max = -1;
  for (int i = 0; i < heft_world_contact_count(w); ++i) {
    const HeftContact c = heft_world_contact(w, i);
    if (!carries(w, i, &c, body)) continue;
    const HeftVec3 arm = heft_vec3_sub(c.pos, from);
    const double distance =
        heft_vec3_norm(heft_vec3_add_scaled(arm, -heft_vec3_dot(arm, along), along));
    if (distance <= max) continue;
    max = distance;
    *out = c.pos;
  }
  return max;
}

static HeftContactShape shape_of(const HeftWorld* w, int body, int points) {
  if (points < 2) return points == 0 ? HEFT_CONTACT_SHAPE_NONE : HEFT_CONTACT_SHAPE_VERTEX;
  const HeftVec3 none = {0, 0, 0};
  HeftVec3 first = none, second = none, third = none;
  farthest(w, body, none, none, &first);
  const double length = farthest(w, body, first, none, &second);
  if (!(length > 0)) return HEFT_CONTACT_SHAPE_VERTEX;
  const HeftVec3 along = heft_vec3_scale(1 / length, heft_vec3_sub(second, first));
  return farthest(w, body, first, along, &third) > thin * length ? HEFT_CONTACT_SHAPE_SOLE
                                                                 : HEFT_CONTACT_SHAPE_EDGE;
}

HeftBodyContact heft_world_body_contact(const HeftWorld* w, int body) {
  HEFT_ASSERT(body >= 0 && body < w->model->nbody);
  HeftBodyContact out = {.shape = HEFT_CONTACT_SHAPE_NONE, .state = HEFT_CONTACT_OPEN};
  for (int i = 0; i < heft_world_contact_count(w); ++i) {
    const HeftContact c = heft_world_contact(w, i);
    if (!carries(w, i, &c, body)) continue;
    out.points += 1;
    out.force += heft_vec3_dot(c.force, c.normal);
    if (c.state == HEFT_CONTACT_STICKING || out.state == HEFT_CONTACT_OPEN) out.state = c.state;
  }
  out.shape = shape_of(w, body, out.points);
  heft_world_contact_pressure_center(w, body, &out.center);
  return out;
}
