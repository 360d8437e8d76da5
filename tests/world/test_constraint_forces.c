// SPDX-License-Identifier: Apache-2.0
// Forces of constraints that are no contacts, against statics: a limit and dry friction that hold a
// pendulum's weight, an equality and a tendon limit that hold a load.
#include <heft/io.h>
#include <heft/world.h>
#include <string.h>

#include "support/check.h"

enum { FORCES = 32 };

static HeftWorld* settled(HeftModel** model, const char* text, int steps) {
  HeftError error = {0};
  HeftWorld* world = NULL;
  if (heft_model_load_bytes(model, text, strlen(text), "scene", NULL, &error) != HEFT_OK)
    fail_msg("%d: %s", error.line, error.message);
  if (heft_world_create(&world, *model, NULL, &error) != HEFT_OK) fail_msg("%s", error.message);
  for (int i = 0; i < steps; ++i) assert_int_equal(heft_world_step(world).status, HEFT_STEP_SOLVED);
  return world;
}

static const HeftConstraintForce* find(const HeftConstraintForce* forces, int count,
                                       HeftConstraintKind kind, int component) {
  for (int i = 0; i < count && i < FORCES; ++i) {
    if (forces[i].kind == kind && forces[i].component == component) return &forces[i];
  }
  fail_msg("there is no %s", heft_constraint_kind_name(kind));
  return NULL;
}

static void close_world(HeftWorld* world, HeftModel* model) {
  heft_world_destroy(world);
  heft_model_destroy(model);
}

// A beam of 2 kg, level at 0.3 m from its hinge: 2 * 9.81 * 0.3 N m.
static void a_limit_holds_a_beam(void** state) {
  (void)state;
  HeftModel* model = NULL;
  HeftConstraintForce forces[FORCES];
  HeftWorld* world = settled(
      &model,
      "<mujoco><worldbody><body pos='0 0 1'><joint axis='0 1 0' range='-90 0' limited='true'/>"
      "<inertial pos='0.3 0 0' mass='2' diaginertia='0.1 0.1 0.1'/></body></worldbody></mujoco>",
      200);
  const int count = heft_world_constraint_forces(world, forces, FORCES);
  const HeftConstraintForce* limit = find(forces, count, HEFT_CONSTRAINT_LIMIT, 1);
  assert_int_equal(limit->index, 0);
  CHECK_AT_MOST(fabs(limit->force - 2 * 9.81 * 0.3), 1e-6);
  assert_int_equal(heft_world_constraint_forces(world, NULL, 0), count);
  close_world(world, model);
}

static void dry_friction_holds_a_slide(void** state) {
  (void)state;
  HeftModel* model = NULL;
  HeftConstraintForce forces[FORCES];
  HeftWorld* world =
      settled(&model,
              "<mujoco><worldbody><body><joint type='slide' axis='0 0 1' frictionloss='50'/>"
              "<inertial pos='0 0 0' mass='3' diaginertia='1 1 1'/></body></worldbody></mujoco>",
              100);
  const int count = heft_world_constraint_forces(world, forces, FORCES);
  const HeftConstraintForce* dry = find(forces, count, HEFT_CONSTRAINT_DRY_FRICTION, 0);
  CHECK_AT_MOST(fabs(dry->force - 3 * 9.81), 1e-6);
  close_world(world, model);
}

// The three rows of a connect carry the weight together.
static void an_equality_holds_a_body(void** state) {
  (void)state;
  HeftModel* model = NULL;
  HeftConstraintForce forces[FORCES];
  HeftWorld* world = settled(&model,
                             "<mujoco><worldbody><body name='a' pos='0 0 1'><freejoint/>"
                             "<inertial pos='0 0 0' mass='3' diaginertia='1 1 1'/></body>"
                             "</worldbody><equality><connect body1='a' anchor='0 0 0'/></equality>"
                             "</mujoco>",
                             100);
  const int count = heft_world_constraint_forces(world, forces, FORCES);
  double square = 0;
  for (int i = 0; i < 3; ++i) {
    const double f = find(forces, count, HEFT_CONSTRAINT_EQUALITY, i)->force;
    square += f * f;
  }
  CHECK_AT_MOST(fabs(sqrt(square) - 3 * 9.81), 1e-6);
  close_world(world, model);
}

static void a_tendon_limit_holds_a_load(void** state) {
  (void)state;
  HeftModel* model = NULL;
  HeftConstraintForce forces[FORCES];
  HeftWorld* world = settled(
      &model,
      "<mujoco><worldbody><site name='top' pos='0 0 2'/><body pos='0 0 1'>"
      "<joint type='slide' axis='0 0 1'/><inertial pos='0 0 0' mass='3' diaginertia='1 1 1'/>"
      "<site name='load'/></body></worldbody><tendon><spatial limited='true' range='0 1.2'>"
      "<site site='top'/><site site='load'/></spatial></tendon></mujoco>",
      600);
  const int count = heft_world_constraint_forces(world, forces, FORCES);
  const HeftConstraintForce* limit = find(forces, count, HEFT_CONSTRAINT_TENDON_LIMIT, 1);
  CHECK_AT_MOST(fabs(limit->force - 3 * 9.81), 1e-6);
  close_world(world, model);
}

static void contacts_come_in_one_call(void** state) {
  (void)state;
  HeftModel* model = NULL;
  HeftContact contacts[FORCES];
  HeftWorld* world =
      settled(&model,
              "<mujoco><worldbody><geom type='plane' size='0 0 1'/><body pos='0 0 0.1'><freejoint/>"
              "<geom type='box' size='0.1 0.1 0.1' mass='4'/></body></worldbody></mujoco>",
              50);
  const int count = heft_world_contacts(world, contacts, FORCES);
  assert_int_equal(count, heft_world_contact_count(world));
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    const HeftContact one = heft_world_contact(world, i);
    assert_memory_equal(&one.force, &contacts[i].force, sizeof one.force);
    sum += contacts[i].force.z;
  }
  CHECK_AT_MOST(fabs(sum - 4 * 9.81), 1e-6);
  close_world(world, model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_limit_holds_a_beam),      cmocka_unit_test(dry_friction_holds_a_slide),
      cmocka_unit_test(an_equality_holds_a_body),  cmocka_unit_test(a_tendon_limit_holds_a_load),
      cmocka_unit_test(contacts_come_in_one_call),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
