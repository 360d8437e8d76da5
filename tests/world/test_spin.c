// SPDX-License-Identifier: Apache-2.0
// Papers: U2.
// Trees that turn fast: steps are divided, energy stays that of the balance, the status tells what
// was corrected, and states beyond the bounds are refused.
#include <math.h>

#include "contact_scene.h"
#include "scenes/random.h"

// A chain of hinges about y.
static Scene open_chain(int links, double step, const HeftWorldDef* def) {
  Scene s = scene_open(heft_vec3(0, 0, -g), step);
  const double length = 0.05, mass = 0.05, long_side = mass * length * length / 12;
  for (int i = 0; i < links; ++i) {
    HeftBodyDef body = heft_body_def_default();
    body.parent = i;
    body.pos = heft_vec3(0, 0, i == 0 ? 10 : -length);
    body.mass = mass;
    body.com = heft_vec3(0, 0, -0.5 * length);
    body.inertia = (HeftSym3){long_side, long_side, 0.1 * long_side, 0, 0, 0};
    HeftJointDef joint = heft_joint_def_default();
    joint.body = heft_builder_add_body(s.builder, &body);
    joint.type = HEFT_JOINT_HINGE;
    joint.axis = heft_vec3(0, 1, 0);
    heft_builder_add_joint(s.builder, &joint);
  }
  scene_start_with(&s, def);
  return s;
}

static void set_speed(Scene* s, int dof, double speed) {
  assert_int_equal(heft_world_set_v(s->world, dof, &speed, 1, NULL), HEFT_OK);
}

static double energy(const Scene* s) {
  const HeftDynamics* dynamics = heft_world_dynamics(s->world);
  const HeftState* state = heft_world_state(s->world);
  return heft_dynamics_kinetic_energy(dynamics, state->v) +
         heft_dynamics_potential_energy(dynamics, state->q);
}

// 60 links of which the lower half starts at 10 rad/s whip: some reach many times this speed.
static void long_chains_keep_their_energy(void** state) {
  (void)state;
  HeftWorldDef def = heft_world_def_default();
  Scene s = open_chain(60, 0.002, &def);
  set_speed(&s, 30, 10);
  const double start = energy(&s), kinetic = 50;
  double most = 0, least = 0, fastest = 0;
  int divided = 0, parts_most = 0;
  for (int i = 0; i < 1500; ++i) {
    const HeftStepReport r = heft_world_step(s.world);
    assert_true(heft_step_taken(r.status));
    assert_true((r.status == HEFT_STEP_RESTRAINED) == (r.restrained > 0));
    const double gain = (r.kinetic + r.potential - start) / kinetic;
    most = fmax(most, gain);
    least = fmin(least, gain);
    divided += r.parts > 1;
    parts_most = r.parts > parts_most ? r.parts : parts_most;
    for (int k = 0; k < 60; ++k) fastest = fmax(fastest, fabs(heft_world_state(s.world)->v[k]));
  }
  printf(
      "60 links: energy %+.1e to %+.1e of the kinetic one, fastest joint %.0f rad/s, %d steps "
      "divided, into up to %d parts\n",
      least, most, fastest, divided, parts_most);
  CHECK_AT_MOST(most, 1e-3);
  assert_true(divided > 0 && parts_most <= def.spin_parts);
  scene_close(&s);
}

// Without parts, the energy is bounded all the same, and the status says that the motion is wrong.
static void too_fast_chains_are_restrained(void** state) {
  (void)state;
  HeftWorldDef def = heft_world_def_default();
  def.spin_parts = 1;
  Scene s = open_chain(40, 0.005, &def);
  Random r = {1};
  for (int i = 0; i < 40; ++i) set_speed(&s, i, random_between(&r, -500, 500));
  const double start = energy(&s);
  int restrained = 0;
  for (int i = 0; i < 200; ++i) {
    const HeftStepReport report = heft_world_step(s.world);
    restrained += report.status == HEFT_STEP_RESTRAINED;
    assert_int_equal(report.parts, 1);
    assert_true(heft_step_taken(report.status));
    CHECK_AT_MOST(report.kinetic + report.potential, start * 1.01);
  }
  assert_true(restrained > 100);
  scene_close(&s);
}

// The bias of a wheel on its axis is zero, however fast it turns.
static void wheels_need_no_parts(void** state) {
  (void)state;
  HeftWorldDef def = heft_world_def_default();
  Scene s = scene_open(heft_vec3(0, 0, -g), 0.002);
  HeftBodyDef body = heft_body_def_default();
  body.mass = 1;
  body.inertia = (HeftSym3){0.01, 0.02, 0.01, 0, 0, 0};
  HeftJointDef joint = heft_joint_def_default();
  joint.body = heft_builder_add_body(s.builder, &body);
  joint.type = HEFT_JOINT_HINGE;
  joint.axis = heft_vec3(0, 1, 0);
  heft_builder_add_joint(s.builder, &joint);
  scene_start_with(&s, &def);
  set_speed(&s, 0, 3000);
  for (int i = 0; i < 100; ++i) {
    const HeftStepReport r = heft_world_step(s.world);
    assert_int_equal(r.status, HEFT_STEP_SOLVED);
    assert_int_equal(r.parts, 1);
  }
  CHECK_AT_MOST(fabs(heft_world_state(s.world)->v[0] - 3000), 1e-9);
  scene_close(&s);
}

// What floats keeps its momentum while its energy is projected.
static void floating_trees_keep_their_momentum(void** state) {
  (void)state;
  HeftWorldDef def = heft_world_def_default();
  Scene s = scene_open(heft_vec3(0, 0, 0), 0.002);
  for (int i = 0; i < 12; ++i) {
    HeftBodyDef body = heft_body_def_default();
    body.parent = i;
    body.pos = heft_vec3(0, 0, -0.1);
    body.mass = 0.1;
    body.inertia = (HeftSym3){1e-4, 1.2e-4, 5e-5, 0, 0, 0};
    HeftJointDef joint = heft_joint_def_default();
    joint.body = heft_builder_add_body(s.builder, &body);
    joint.type = i == 0 ? HEFT_JOINT_FREE : HEFT_JOINT_BALL;
    heft_builder_add_joint(s.builder, &joint);
  }
  scene_start_with(&s, &def);
  Random r = {2};
  for (int i = 0; i < s.model->nv; ++i) set_speed(&s, i, random_between(&r, -60, 60));
  const HeftVec3 zero = {0, 0, 0};
  const HeftSpatial before = heft_dynamics_momentum(heft_world_dynamics(s.world), 0, zero);
  const double start = energy(&s);
  int divided = 0;
  for (int i = 0; i < 200; ++i) divided += heft_world_step(s.world).parts > 1;
  const HeftSpatial after = heft_dynamics_momentum(heft_world_dynamics(s.world), 0, zero);
  const double linear = heft_vec3_norm(heft_vec3_sub(after.lin, before.lin)),
               angular = heft_vec3_norm(heft_vec3_sub(after.ang, before.ang));
  printf("floating chain: P to %.1e, L to %.1e, energy %.9f of the start, %d steps divided\n",
         linear / heft_vec3_norm(before.lin), angular / heft_vec3_norm(before.ang),
         energy(&s) / start, divided);
  assert_true(divided > 0);
  CHECK_AT_MOST(linear / heft_vec3_norm(before.lin), 1e-11);
  CHECK_AT_MOST(angular / heft_vec3_norm(before.ang), 1e-9);
  CHECK_AT_MOST(fabs(energy(&s) / start - 1), 1e-3);
  scene_close(&s);
}

// A box tumbles by 0.08 rad a step above a floor that it does not reach, with contact points that
// are open. Nothing does work on it.
static void a_tumbling_box_beside_open_points_gains_nothing(void** state) {
  (void)state;
  HeftWorldDef def = heft_world_def_default();
  Scene s = scene_open(heft_vec3(0, 0, 0), 0.002);
  HeftShapeDef shape = heft_shape_def_default();
  shape.type = HEFT_SHAPE_PLANE;
  shape.margin = 5;
  heft_builder_add_shape(s.builder, &shape);
  HeftBodyDef body = heft_body_def_default();
  body.pos = heft_vec3(0, 0, 2);
  body.mass = 1;
  body.inertia = (HeftSym3){0.0034 / 3, 0.0109 / 3, 0.0125 / 3, 0, 0, 0};  // 0.2 x 0.1 x 0.06 m
  HeftJointDef joint = heft_joint_def_default();
  joint.body = shape.body = heft_builder_add_body(s.builder, &body);
  joint.type = HEFT_JOINT_FREE;
  heft_builder_add_joint(s.builder, &joint);
  shape.type = HEFT_SHAPE_BOX;
  shape.size[0] = 0.1;
  shape.size[1] = 0.05;
  shape.size[2] = 0.03;
  heft_builder_add_shape(s.builder, &shape);
  scene_start_with(&s, &def);
  const double v[6] = {0, 0, 0, 24, 20, 24.8};
  assert_int_equal(heft_world_set_v(s.world, 0, v, 6, NULL), HEFT_OK);
  double before = energy(&s), gain = 0;
  const double start = before;
  for (int i = 0; i < 500; ++i) {
    const HeftStepReport r = heft_world_step(s.world);
    assert_true(r.contact_count > 0);
    gain = fmax(gain, energy(&s) - before);
    before = energy(&s);
  }
  printf("tumbling box: %.3f J, at most %.1e J more in a step, %.3f J at the end\n", start, gain,
         before);
  CHECK_AT_MOST(gain, 1e-12);
  scene_close(&s);
}

// Divided steps are repeated bit for bit, also if the clock reduced the number of parts.
static void divided_steps_are_repeated(void** state) {
  (void)state;
  enum { NOTES = 8192 };
  static int notes[NOTES];
  HeftWorldDef def = heft_world_def_default();
  Scene a = open_chain(30, 0.002, &def), b = open_chain(30, 0.002, &def);
  set_speed(&a, 15, 40);
  set_speed(&b, 15, 40);
  int divided = 0;
  for (int i = 0; i < 400; ++i) {
    const uint64_t end = i % 2 ? heft_clock_ns() + 20000 : heft_clock_ns() + 1000000000;
    const HeftStepReport r = heft_world_step_until(a.world, end);
    const int count = heft_world_effort(a.world, notes, NOTES);
    heft_world_step_replay(b.world, notes, count);
    divided += r.parts > 1;
    assert_true(heft_world_hash(a.world) == heft_world_hash(b.world));
  }
  assert_true(divided > 0);
  scene_close(&a);
  scene_close(&b);
}

// Actuation, sensors and forces see the step, not its parts: a constant torque does the same work.
static void driven_chains_follow_their_work(void** state) {
  (void)state;
  HeftWorldDef def = heft_world_def_default();
  Scene s = open_chain(20, 0.001, &def);
  double work = 0, lost = 0;
  int divided = 0, restrained = 0;
  heft_world_joint_forces(s.world)[0] = 5;
  const double start = energy(&s);
  for (int i = 0; i < 1000; ++i) {
    const HeftStepReport r = heft_world_step(s.world);
    work += r.work;
    divided += r.parts > 1;
    restrained += r.restrained > 0;
    lost += r.restrained > 0 ? r.energy_change : 0;
  }
  printf(
      "driven chain: energy %.6g J of %.6g J of work, %d steps divided, %d restrained (%.3g J)\n",
      energy(&s) - start, work, divided, restrained, lost);
  assert_true(divided > 0);
  CHECK_AT_MOST(fabs((energy(&s) - start) / work - 1), 2e-2);
  scene_close(&s);
}

static void states_out_of_range_are_refused(void** state) {
  (void)state;
  HeftWorldDef def = heft_world_def_default();
  Scene s = open_chain(1, 0.002, &def);
  const double fast = 2 * HEFT_SPEED_MAX, far = 2 * HEFT_PLACE_MAX;
  assert_int_equal(heft_world_set_v(s.world, 0, &fast, 1, NULL), HEFT_ERR_VALUE);
  assert_int_equal(heft_world_set_q(s.world, 0, &far, 1, NULL), HEFT_ERR_VALUE);
  const uint64_t hash = heft_world_hash(s.world);
  heft_world_joint_forces(s.world)[0] = 1e12;
  const HeftStepReport r = heft_world_step(s.world);
  assert_int_equal(r.status, HEFT_STEP_OUT_OF_RANGE);
  assert_false(heft_step_taken(r.status));
  assert_true(heft_world_hash(s.world) == hash);
  scene_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(long_chains_keep_their_energy),
      cmocka_unit_test(too_fast_chains_are_restrained),
      cmocka_unit_test(wheels_need_no_parts),
      cmocka_unit_test(floating_trees_keep_their_momentum),
      cmocka_unit_test(a_tumbling_box_beside_open_points_gains_nothing),
      cmocka_unit_test(divided_steps_are_repeated),
      cmocka_unit_test(driven_chains_follow_their_work),
      cmocka_unit_test(states_out_of_range_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
