// SPDX-License-Identifier: Apache-2.0
// Papers: U9.
// How a body stands: on no point, a vertex, an edge or its sole; whether it slips; its centre of
// pressure. This serves every contact model and uses the forces of the last step.
#include <math.h>

#include "base/assert.h"
#include "world/contacts.h"
#include "world/models/contact_model.h"
#include "world/world_internal.h"

static const char* const shape_names[] = {
#define NAME(id, name) name,
    HEFT_CONTACT_SHAPE_LIST(NAME)
#undef NAME
};

// Points whose distance from a line is less than this share of its length are on it.
static const double thin = 1e-3;

const char* heft_contact_shape_name(HeftContactShape shape) {
  return (int)shape >= 0 && shape < HEFT_CONTACT_SHAPE_COUNT ? shape_names[shape] : "unknown";
}

// The loaded contact points of one body.
typedef struct Loaded {
  const Constraints* constraints;
  const StepInput* in;
  int body;
} Loaded;

// Reads a contact. Returns 1 if it loads the body. A contact model that clamps points stores itself
// on which of them a body stands.
static int read_loaded(const Loaded* l, int index, HeftContact* c) {
  const Constraints* all = l->constraints;
  HEFT_ASSERT(index >= 0 && index < all->set.contact_point_count);
  *c = heft_contact_read(all, l->in, index);
  if (c->body_a != l->body && c->body_b != l->body) return 0;
  if (all->contact_model && all->contact_model->clamps) return all->model_memory[index][1] > 0;
  return c->state != HEFT_CONTACT_OPEN;
}

// The loaded point of the body that is farthest from a line through `from` along the unit vector
// `along`; a zero vector: farthest from the point. Returns the distance.
static double farthest(const Loaded* l, HeftVec3 from, HeftVec3 along, HeftVec3* out) {
  double max = -1;
  for (int i = 0; i < l->constraints->set.contact_point_count; ++i) {
    HeftContact c;
    if (!read_loaded(l, i, &c)) continue;
    const HeftVec3 arm = heft_vec3_sub(c.pos, from);
    const double distance =
        heft_vec3_norm(heft_vec3_add_scaled(arm, -heft_vec3_dot(arm, along), along));
    if (distance <= max) continue;
    max = distance;
    *out = c.pos;
  }
  return max;
}

static HeftContactShape shape_of(const Loaded* l, int points) {
  if (points < 2) return points == 0 ? HEFT_CONTACT_SHAPE_NONE : HEFT_CONTACT_SHAPE_VERTEX;
  const HeftVec3 none = {0, 0, 0};
  HeftVec3 first = none, second = none, third = none;
  farthest(l, none, none, &first);
  const double length = farthest(l, first, none, &second);
  if (!(length > 0)) return HEFT_CONTACT_SHAPE_VERTEX;
  const HeftVec3 along = heft_vec3_scale(1 / length, heft_vec3_sub(second, first));
  return farthest(l, first, along, &third) > thin * length ? HEFT_CONTACT_SHAPE_SOLE
                                                           : HEFT_CONTACT_SHAPE_EDGE;
}

HeftBodyContact heft_world_body_contact(const HeftWorld* w, int body) {
  HEFT_REQUIRE(w, ((HeftBodyContact){0}));
  HEFT_REQUIRE(body >= 0 && body < w->model->nbody, ((HeftBodyContact){0}));
  HeftBodyContact out = {.shape = HEFT_CONTACT_SHAPE_NONE, .state = HEFT_CONTACT_OPEN};
  const Loaded loaded = {w->constraints, &w->input, body};
  for (int i = 0; i < w->constraints->set.contact_point_count; ++i) {
    HeftContact c;
    if (!read_loaded(&loaded, i, &c)) continue;
    out.points += 1;
    out.force += heft_vec3_dot(c.force, c.normal);
    if (c.state == HEFT_CONTACT_STICKING || out.state == HEFT_CONTACT_OPEN) out.state = c.state;
  }
  out.shape = shape_of(&loaded, out.points);
  heft_world_contact_pressure_center(w, body, &out.center);
  return out;
}
