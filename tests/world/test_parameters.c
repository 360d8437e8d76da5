// SPDX-License-Identifier: Apache-2.0
// Parameters of one world: a world whose parameters were changed moves, bit for bit, as a world on
// a
// model that was written with those numbers; other worlds of the model are not affected. Clones go
// on with the same bits.
#include <heft/io.h>
#include <heft/world.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/failing_allocator.h"

// A box on a slope, a cart with a load that is welded to it askew, and a servo. Numbers that a test
// changes stand in the text as %s.
static const char scene[] =
    "<mujoco><option timestep='0.002' gravity='%s'/>"
    "<default><geom condim='4'/></default>"
    "<worldbody>"
    "<geom name='slope' type='plane' size='0 0 1' euler='0 20 0' friction='0.1 0.01 0.001'/>"
    "<body name='box' pos='0 0 0.3'><freejoint/>"
    "<geom name='box' type='box' size='0.1 0.1 0.1' mass='2' friction='%s 0.01 0.001'/></body>"
    "<body name='pair_ball' pos='0 2 0.6'><freejoint/>"
    "<geom name='ball' type='sphere' size='0.1' mass='1'/></body>"
    "<body name='arm' pos='3 0 2'><joint name='hinge' axis='0 1 0'/>"
    "<inertial pos='0 0 -0.3' mass='1' diaginertia='0.03 0.03 0.001'/>"
    "<body name='load' pos='0.1 0 -0.6' euler='10 20 30'>"
    "<inertial pos='0.02 0 0' mass='%s' fullinertia='%s'/>"
    "<geom type='sphere' size='0.05' mass='0'/></body></body>"
    "</worldbody>"
    "<contact><pair geom1='slope' geom2='ball' condim='3' friction='%s %s 0.01 0.001 "
    "0.001'/></contact>"
    "<actuator><general name='servo' joint='hinge' gainprm='%s' biastype='affine' biasprm='0 %s "
    "-1'/>"
    "</actuator></mujoco>";

typedef struct Numbers {
  const char *gravity, *friction, *mass, *inertia, *pair, *gain, *bias;
} Numbers;

static const Numbers usual = {"0 0 -9.81", "0.5", "2",  "0.02 0.03 0.04 0.001 0.002 0.003",
                              "0.3",       "10",  "-10"};

static HeftModel* model_of(const Numbers* n) {
  char text[4096];
  HeftError error = {0};
  HeftModel* model = NULL;
  snprintf(text, sizeof text, scene, n->gravity, n->friction, n->mass, n->inertia, n->pair, n->pair,
           n->gain, n->bias);
  if (heft_model_load_bytes(&model, text, strlen(text), "scene", NULL, &error) != HEFT_OK)
    fail_msg("%d: %s", error.line, error.message);
  return model;
}

static HeftWorld* world_of(const HeftModel* model) {
  HeftError error = {0};
  HeftWorld* world = NULL;
  if (heft_world_create(&world, model, NULL, &error) != HEFT_OK) fail_msg("%s", error.message);
  heft_world_controls(world)[0] = 0.7;
  return world;
}

static uint64_t hash_after(HeftWorld* world, int steps) {
  for (int i = 0; i < steps; ++i) assert_int_equal(heft_world_step(world).status, HEFT_STEP_SOLVED);
  return heft_world_hash(world);
}

typedef void Change(HeftWorld* world);

static void change_gravity(HeftWorld* w) {
  assert_int_equal(heft_world_set_gravity(w, heft_vec3(0.5, 0, -3.7), NULL), HEFT_OK);
  CHECK_AT_MOST(fabs(heft_world_gravity(w).z + 3.7), 0);
}

static void change_friction(HeftWorld* w) {
  const HeftModel* m = heft_world_model(w);
  const int material = m->shape_material[heft_model_find(m, HEFT_NAMED_SHAPE, "box")];
  HeftMaterial value = heft_world_material(w, material);
  value.friction = value.kinetic = 0.2;
  assert_int_equal(heft_world_set_material(w, material, &value, NULL), HEFT_OK);
}

static void change_shape(HeftWorld* w) {
  const int box = heft_model_find(heft_world_model(w), HEFT_NAMED_SHAPE, "box");
  HeftMaterial value = heft_world_shape_material(w, box);
  value.friction = value.kinetic = 0.2;
  assert_int_equal(heft_world_set_shape_material(w, box, &value, NULL), HEFT_OK);
  CHECK_AT_MOST(fabs(heft_world_shape_material(w, box).friction - 0.2), 0);
  value.friction = -1;
  assert_int_equal(heft_world_set_shape_material(w, box, &value, NULL), HEFT_ERR_VALUE);
}

static void change_pair(HeftWorld* w) {
  HeftMaterial value = heft_world_pair_material(w, 0);
  value.friction = value.kinetic = 0.05;
  assert_int_equal(heft_world_set_pair_material(w, 0, &value, NULL), HEFT_OK);
}

static void change_mass(HeftWorld* w) {
  const int load = heft_model_find(heft_world_model(w), HEFT_NAMED_BODY, "load");
  assert_int_equal(heft_world_set_mass_factors(w, load, 4, 2, NULL), HEFT_OK);
  CHECK_AT_MOST(fabs(heft_world_body_mass(w, load) - 8), 0);
}

static void change_gain(HeftWorld* w) {
  HeftActuatorGains gains = heft_world_actuator_gains(w, 0);
  gains.gain = 25;
  gains.bias[1] = -25;
  assert_int_equal(heft_world_set_actuator_gains(w, 0, &gains, NULL), HEFT_OK);
}

static void check_change(Change* change, Numbers written) {
  enum { STEPS = 300 };
  HeftModel *shared = model_of(&usual), *other = model_of(&written);
  const uint64_t shared_hash = heft_model_hash(shared);
  HeftWorld *changed = world_of(shared), *plain = world_of(shared), *expected = world_of(other);
  change(changed);
  const uint64_t end = hash_after(changed, STEPS);
  assert_true(end == hash_after(expected, STEPS));
  assert_true(end != hash_after(plain, STEPS));
  assert_true(heft_model_hash(shared) == shared_hash);
  heft_world_destroy(changed);
  heft_world_destroy(plain);
  heft_world_destroy(expected);
  heft_model_destroy(shared);
  heft_model_destroy(other);
}

static void gravity_is_that_of_a_written_model(void** state) {
  (void)state;
  Numbers n = usual;
  n.gravity = "0.5 0 -3.7";
  check_change(change_gravity, n);
}

static void friction_is_that_of_a_written_model(void** state) {
  (void)state;
  Numbers n = usual;
  n.friction = "0.2";
  check_change(change_friction, n);
}

static void friction_of_a_shape_is_that_of_a_written_model(void** state) {
  (void)state;
  Numbers n = usual;
  n.friction = "0.2";
  check_change(change_shape, n);
}

static void pair_friction_is_that_of_a_written_model(void** state) {
  (void)state;
  Numbers n = usual;
  n.pair = "0.05";
  check_change(change_pair, n);
}

static void mass_is_that_of_a_written_model(void** state) {
  (void)state;
  Numbers n = usual;
  n.mass = "8";
  n.inertia = "0.04 0.06 0.08 0.002 0.004 0.006";
  check_change(change_mass, n);
}

static void gains_are_those_of_a_written_model(void** state) {
  (void)state;
  Numbers n = usual;
  n.gain = "25";
  n.bias = "-25";
  check_change(change_gain, n);
}

static void wrong_values_are_refused_and_change_nothing(void** state) {
  (void)state;
  HeftModel* model = model_of(&usual);
  HeftWorld *tried = world_of(model), *plain = world_of(model);
  HeftError error = {0};
  HeftMaterial value = heft_world_material(tried, 0);
  value.restitution = 1.5;
  assert_int_equal(heft_world_set_material(tried, 0, &value, &error), HEFT_ERR_VALUE);
  assert_non_null(strstr(error.message, "restitution is 1.5"));
  value = (HeftMaterial){.friction = 0.1, .kinetic = 0.2};
  assert_int_equal(heft_world_set_material(tried, 0, &value, NULL), HEFT_ERR_VALUE);
  assert_int_equal(heft_world_set_gravity(tried, heft_vec3(0, NAN, 0), &error), HEFT_ERR_VALUE);
  assert_int_equal(heft_world_set_mass_factors(tried, 1, 0, 1, &error), HEFT_ERR_VALUE);
  HeftActuatorGains gains = heft_world_actuator_gains(tried, 0);
  gains.gain = INFINITY;
  assert_int_equal(heft_world_set_actuator_gains(tried, 0, &gains, &error), HEFT_ERR_VALUE);
  assert_true(hash_after(tried, 100) == hash_after(plain, 100));
  heft_world_destroy(tried);
  heft_world_destroy(plain);
  heft_model_destroy(model);
}

static void snapshots_fit_only_the_same_parameters(void** state) {
  (void)state;
  HeftModel* model = model_of(&usual);
  HeftWorld *first = world_of(model), *second = world_of(model);
  hash_after(first, 50);
  const size_t size = heft_world_snapshot_size(first);
  void* bytes = malloc(size);
  heft_world_snapshot(first, bytes);
  change_mass(second);
  assert_int_equal(heft_world_restore(second, bytes, size), HEFT_ERR_VERSION);
  assert_int_equal(heft_world_restore(first, bytes, size), HEFT_OK);
  free(bytes);
  heft_world_destroy(first);
  heft_world_destroy(second);
  heft_model_destroy(model);
}

static void count_call(void* user, HeftWorld* world, int substep) {
  (void)world;
  assert_true(substep >= 0 && substep < 3);
  ++*(int*)user;
}

static void clones_go_on_with_the_same_bits(void** state) {
  (void)state;
  HeftModel* model = model_of(&usual);
  HeftWorld *first = world_of(model), *second = NULL;
  int calls = 0, data = 0;
  change_gravity(first);
  change_friction(first);
  change_pair(first);
  change_shape(first);
  change_mass(first);
  change_gain(first);
  heft_world_joint_forces(first)[0] = 0.1;
  heft_world_set_control_callback(first, count_call, &calls);
  heft_world_set_body_data(first, 1, &data);
  heft_world_set_shape_data(first, 1, &calls);
  hash_after(first, 120);
  HeftError error = {0};
  if (heft_world_clone(&second, first, &error) != HEFT_OK) fail_msg("%s", error.message);
  assert_true(heft_world_hash(first) == heft_world_hash(second));
  assert_ptr_equal(heft_world_body_data(second, 1), &data);
  assert_ptr_equal(heft_world_shape_data(second, 1), &calls);
  calls = 0;
  assert_true(hash_after(first, 120) == hash_after(second, 120));
  assert_int_equal(calls, 240);
  heft_world_destroy(second);
  heft_world_destroy(first);
  heft_model_destroy(model);
}

static bool reject_box(void* user, const HeftContactPoint* point) {
  const int body = *(const int*)user;
  return point->body_a != body && point->body_b != body;
}

static void filtered_contacts_carry_nothing(void** state) {
  (void)state;
  HeftModel* model = model_of(&usual);
  HeftWorld* world = world_of(model);
  int box = heft_model_find(model, HEFT_NAMED_BODY, "box");
  heft_world_set_contact_filter(world, reject_box, &box);
  hash_after(world, 500);
  const double fallen = heft_world_state(world)->q[2] - 0.3;
  CHECK_AT_MOST(fabs(fallen + 0.5 * 9.81 * 1.0 * 1.0), 0.02);
  heft_world_destroy(world);
  heft_model_destroy(model);
}

static void substeps_call_back(void** state) {
  (void)state;
  HeftModel* model = model_of(&usual);
  HeftWorldDef def = heft_world_def_default();
  def.substeps = 3;
  HeftWorld* world = NULL;
  int calls = 0;
  assert_int_equal(heft_world_create(&world, model, &def, NULL), HEFT_OK);
  heft_world_set_control_callback(world, count_call, &calls);
  hash_after(world, 10);
  assert_int_equal(calls, 30);
  heft_world_destroy(world);
  heft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gravity_is_that_of_a_written_model),
      cmocka_unit_test(friction_is_that_of_a_written_model),
      cmocka_unit_test(friction_of_a_shape_is_that_of_a_written_model),
      cmocka_unit_test(pair_friction_is_that_of_a_written_model),
      cmocka_unit_test(mass_is_that_of_a_written_model),
      cmocka_unit_test(gains_are_those_of_a_written_model),
      cmocka_unit_test(wrong_values_are_refused_and_change_nothing),
      cmocka_unit_test(snapshots_fit_only_the_same_parameters),
      cmocka_unit_test(clones_go_on_with_the_same_bits),
      cmocka_unit_test(filtered_contacts_carry_nothing),
      cmocka_unit_test(substeps_call_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
