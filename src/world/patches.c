// SPDX-License-Identifier: Apache-2.0
// Patches of area contact: sums over the contact points that represent an area.
#include <heft/world.h>

#include "base/assert.h"

// The patch of the shapes of a contact; -1: there is none yet. The points of a pair of shapes
// follow each other, so the last one is tried first.
static int find(const HeftContactPatch* patch, int count, const HeftContact* c) {
  for (int k = count - 1; k >= 0; --k) {
    if (patch[k].shape_a == c->shape_a && patch[k].shape_b == c->shape_b) return k;
  }
  return -1;
}

static void add(HeftContactPatch* patch, const HeftContact* c) {
  const double force = heft_vec3_dot(c->force, c->normal), pressure = force / c->area;
  ++patch->contact_count;
  patch->area += c->area;
  patch->force += force;
  patch->center = heft_vec3_add_scaled(patch->center, force, c->pos);
  if (pressure > patch->peak_pressure) patch->peak_pressure = pressure;
}

int heft_contact_patches(const HeftContact* contacts, int count, HeftContactPatch* out,
                         int capacity) {
  HEFT_REQUIRE(count >= 0 && (contacts || count == 0), 0);
  HEFT_REQUIRE(capacity >= 0 && (out || capacity == 0), 0);
  int found = 0;
  for (int i = 0; i < count; ++i) {
    const HeftContact* c = &contacts[i];
    if (!(c->area > 0)) continue;
    int k = find(out, found, c);
    if (k < 0 && found == capacity) continue;
    if (k < 0) {
      k = found++;
      out[k] = (HeftContactPatch){.shape_a = c->shape_a,
                                  .shape_b = c->shape_b,
                                  .body_a = c->body_a,
                                  .body_b = c->body_b,
                                  .normal = c->normal};
    }
    add(&out[k], c);
  }
  for (int k = 0; k < found; ++k)
    out[k].center =
        out[k].force > 0 ? heft_vec3_scale(1 / out[k].force, out[k].center) : heft_vec3(0, 0, 0);
  return found;
}
