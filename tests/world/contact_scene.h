// SPDX-License-Identifier: Apache-2.0
// Small worlds with contact, built by hand: a floor, free boxes and balls.
#ifndef HEFT_TESTS_WORLD_CONTACT_SCENE_H
#define HEFT_TESTS_WORLD_CONTACT_SCENE_H

#include <heft/world.h>

#include "support/check.h"

static const double g = 9.81;

typedef struct Scene {
  HeftBuilder* builder;
  HeftModel* model;
  HeftWorld* world;
} Scene;

static inline Scene scene_open(HeftVec3 gravity, double step) {
  Scene s = {0};
  assert_int_equal(heft_builder_create(&s.builder, NULL, NULL), HEFT_OK);
  heft_builder_set_physics(
      s.builder, (HeftPhysics){.gravity = {gravity.x, gravity.y, gravity.z}, .time_step = step});
  return s;
}

static inline int add_material(Scene* s, double friction, double restitution) {
  HeftMaterialDef def = heft_material_def_default();
  def.friction = friction;
  def.restitution = restitution;
  return heft_builder_add_material(s->builder, &def);
}

static inline void add_floor(Scene* s, int material) {
  HeftShapeDef def = heft_shape_def_default();
  def.type = HEFT_SHAPE_PLANE;
  def.material = material;
  heft_builder_add_shape(s->builder, &def);
}

static inline int add_free(Scene* s, HeftShapeType type, double size, double mass, HeftVec3 pos,
                           int material) {
  const double inertia =
      type == HEFT_SHAPE_SPHERE ? 0.4 * mass * size * size : 2.0 / 3 * mass * size * size;
  HeftBodyDef body = heft_body_def_default();
  body.pos = pos;
  body.mass = mass;
  body.inertia = (HeftSym3){inertia, inertia, inertia, 0, 0, 0};
  const int index = heft_builder_add_body(s->builder, &body);
  HeftJointDef joint = heft_joint_def_default();
  joint.body = index;
  joint.type = HEFT_JOINT_FREE;
  heft_builder_add_joint(s->builder, &joint);
  HeftShapeDef shape = heft_shape_def_default();
  shape.body = index;
  shape.type = type;
  shape.size[0] = shape.size[1] = shape.size[2] = size;
  shape.material = material;
  heft_builder_add_shape(s->builder, &shape);
  return index;
}

static inline void scene_start_with(Scene* s, const HeftWorldDef* def) {
  HeftError error = {0};
  if (heft_builder_finish(s->builder, &s->model, &error) != HEFT_OK) fail_msg("%s", error.message);
  if (heft_world_create(&s->world, s->model, def, &error) != HEFT_OK) fail_msg("%s", error.message);
}

/// With a tolerance that leaves rounding alone.
static inline void scene_start(Scene* s) {
  HeftWorldDef def = heft_world_def_default();
  def.tolerance = 1e-12;
  scene_start_with(s, &def);
}

static inline void scene_close(Scene* s) {
  heft_world_destroy(s->world);
  heft_model_destroy(s->model);
  heft_builder_destroy(s->builder);
}

static inline void set_velocity(Scene* s, int dof, double value) {
  HeftState* state = NULL;
  assert_int_equal(heft_state_create(&state, s->model, NULL, NULL), HEFT_OK);
  heft_state_copy(state, heft_world_state(s->world));
  state->v[dof] = value;
  assert_int_equal(heft_world_set_state(s->world, state), HEFT_OK);
  heft_state_destroy(state);
}

static inline const double* q_of(const Scene* s) { return heft_world_state(s->world)->q; }
static inline const double* v_of(const Scene* s) { return heft_world_state(s->world)->v; }

// A block on a floor; gravity leans by atan(slope), as on an incline.
static inline Scene block_on_slope(double slope, double mu) {
  const double down = g / sqrt(1 + slope * slope);
  Scene s = scene_open(heft_vec3(slope * down, 0, -down), 0.001);
  const int material = add_material(&s, mu, 0);
  add_floor(&s, material);
  add_free(&s, HEFT_SHAPE_BOX, 0.1, 1, heft_vec3(0, 0, 0.1), material);
  scene_start(&s);
  return s;
}

#endif
