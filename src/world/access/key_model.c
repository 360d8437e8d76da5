// SPDX-License-Identifier: Apache-2.0
// The present of a world as a model: its state as a keyframe, its changed parameters as numbers of
// the model. So a moment is saved as a file.
#include <heft/access.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "model/tree.h"

enum { POSE = 7, MOVED = 13 };  // numbers of a moved body in a keyframe and in a state

static void set_material(HeftModel* m, int i, HeftMaterial value) {
  m->material_friction[i] = value.friction;
  m->material_kinetic[i] = value.kinetic;
  m->material_torsion[i] = value.torsion;
  m->material_rolling[i] = value.rolling;
  m->material_restitution[i] = value.restitution;
}

static int is_same(HeftMaterial a, HeftMaterial b) {
  return a.friction == b.friction && a.kinetic == b.kinetic && a.torsion == b.torsion &&
         a.rolling == b.rolling && a.restitution == b.restitution;
}

// How many shapes and pairs use a material.
static int user_count(const HeftModel* m, int material) {
  int count = 0;
  for (int i = 0; i < m->nshape; ++i) count += m->shape_material[i] == material;
  for (int i = 0; i < m->npair; ++i) count += m->pair_material[i] == material;
  return count;
}

// A shape or pair with a material of its own in the world: no other may share it in the model.
static HeftStatus copy_own(HeftModel* m, int material, HeftMaterial shared, HeftMaterial own,
                           HeftError* error) {
  if (is_same(shared, own)) return HEFT_OK;
  if (user_count(m, material) > 1)
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "the friction of one shape or contact pair was changed, and others share "
                          "its material; give it a material of its own in the model");
  set_material(m, material, own);
  return HEFT_OK;
}

static HeftStatus copy_materials(HeftModel* m, const HeftWorld* world, HeftError* error) {
  // The builder's own default comes first, unless the model begins with the same one.
  const int count = heft_world_model(world)->nmaterial, more = m->nmaterial - count;
  HeftStatus status = HEFT_OK;
  for (int i = 0; i < count; ++i) set_material(m, i + more, heft_world_material(world, i));
  for (int i = 0; i < m->nshape && status == HEFT_OK; ++i) {
    const int k = m->shape_material[i];
    status = copy_own(m, k, heft_world_material(world, k - more),
                      heft_world_shape_material(world, i), error);
  }
  for (int i = 0; i < m->npair && status == HEFT_OK; ++i) {
    const int k = m->pair_material[i];
    status = copy_own(m, k, heft_world_material(world, k - more),
                      heft_world_pair_material(world, i), error);
  }
  return status;
}

// The links of the tree hold the masses of their bodies.
static HeftStatus rebuild_tree(HeftModel* m, HeftError* error) {
  HeftTree* tree = NULL;
  const HeftStatus status =
      heft_tree_create(&tree, m, heft_model_limits_default(), &m->allocator, error);
  if (status != HEFT_OK) return status;
  heft_tree_destroy(m->tree, &m->allocator);
  m->tree = tree;
  return HEFT_OK;
}

// The model is not shared yet, so that its numbers may be changed. Bodies keep their order.
static HeftStatus copy_parameters(HeftModel* m, const HeftWorld* world, HeftError* error) {
  const HeftVec3 gravity = heft_world_gravity(world);
  m->physics.gravity[0] = gravity.x;
  m->physics.gravity[1] = gravity.y;
  m->physics.gravity[2] = gravity.z;
  bool changed = false;
  for (int i = 1; i < m->nbody; ++i) {
    const double mass = heft_world_body_mass(world, i), factor = mass / m->body_mass[i];
    if (mass == m->body_mass[i]) continue;
    m->body_mass[i] = mass;
    for (int k = 0; k < 6; ++k) m->body_inertia[6L * i + k] *= factor;
    changed = true;
  }
  const HeftStatus status = changed ? rebuild_tree(m, error) : HEFT_OK;
  if (status != HEFT_OK) return status;
  for (int i = 0; i < m->nactuator; ++i) {
    const HeftActuatorGains gains = heft_world_actuator_gains(world, i);
    m->actuator_gain[i] = gains.gain;
    memcpy(m->actuator_gain_rate + 2L * i, gains.gain_rate, sizeof gains.gain_rate);
    memcpy(m->actuator_bias + 3L * i, gains.bias, sizeof gains.bias);
  }
  return copy_materials(m, world, error);
}

HeftStatus heft_world_key_model(HeftModel** out, HeftWorld* world, const char* key,
                                HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  HEFT_REQUIRE(world && key && key[0], HEFT_ERR_ARGUMENT);
  const HeftModel* m = heft_world_model(world);
  const HeftState* state = heft_world_state(world);
  if (heft_model_find(m, HEFT_NAMED_KEY, key) >= 0)
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "the model has a keyframe '%.80s' already; use another name", key);
  const HeftAllocator* a = &m->allocator;
  const size_t size = sizeof(double) * POSE * (size_t)(m->nmoved + 1);
  double* moved = a->allocate(a->user, size, 64);
  if (!moved) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory to add a keyframe");
  for (int i = 0; i < m->nmoved; ++i)
    memcpy(moved + POSE * i, state->moved + MOVED * i, POSE * sizeof *moved);
  HeftBuilder* b = NULL;
  HeftStatus status = heft_builder_from_model(&b, m, NULL, a, error);
  if (status == HEFT_OK) {
    HeftKeyDef def = heft_key_def_default();
    def.name = key;
    def.time = *state->time;
    def.q = state->q;
    def.v = state->v;
    def.act = state->act;
    def.control = heft_world_controls(world);
    def.moved = moved;
    heft_builder_add_key(b, &def);
    status = heft_builder_finish(b, out, error);
    heft_builder_destroy(b);
  }
  a->release(a->user, moved, size);
  if (status == HEFT_OK) status = copy_parameters(*out, world, error);
  if (status != HEFT_OK) {
    heft_model_destroy(*out);
    *out = NULL;
  }
  return status;
}
