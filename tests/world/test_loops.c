// SPDX-License-Identifier: Apache-2.0
// Papers: R11.
// Loops that ask for one thing twice. All hinges of this ring are parallel, so its loop cannot open
// across the plane anyway: forces that cancel each other are left open there. They must not grow,
// and no step may gain energy by them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include <heft/access.h>
#include <math.h>

#include "world/described.h"
#include "world/stage.h"

static const char ring[] =
    "<mujoco><option timestep='0.0028'/><default><geom friction='0.435'/>"
    "<joint type='hinge' axis='0 0 1'/></default><worldbody>"
    "<geom type='plane' size='50 50 1'/>"
    "<body name='first' pos='0 0 0.3898' quat='0.321686 0.038544 -0.870154 0.3713'><freejoint/>"
    "<geom type='capsule' fromto='0.03 0 0 0.09 0 0' size='0.0133' density='2579'/>"
    "<body pos='0.12 0 0' axisangle='0 0 1 72'>"
    "<joint limited='true' range='-55.9 27.76' frictionloss='0.014'/>"
    "<geom type='capsule' fromto='0.03 0 0 0.09 0 0' size='0.0119' density='1567'/>"
    "<body pos='0.12 0 0' axisangle='0 0 1 72'>"
    "<joint limited='true' range='-6.67 51.96' frictionloss='0.007'/>"
    "<geom type='capsule' fromto='0.03 0 0 0.09 0 0' size='0.0198' density='2134'/>"
    "<body pos='0.12 0 0' axisangle='0 0 1 72'><joint frictionloss='0.005'/>"
    "<geom type='capsule' fromto='0.03 0 0 0.09 0 0' size='0.0122' density='878'/>"
    "<body name='last' pos='0.12 0 0' axisangle='0 0 1 72'><joint frictionloss='0.008'/>"
    "<geom type='capsule' fromto='0.03 0 0 0.09 0 0' size='0.0201' density='2323'/>"
    "</body></body></body></body></body></worldbody>"
    "<equality><connect body1='last' body2='first' anchor='0.12 0 0'/></equality></mujoco>";

static const double thrown[10] = {-0.38496798132277688, -0.11122974540839803, -0.33005085704566178,
                                  -0.57620003130912545, -0.62508928376401873, 0.019248249041604271,
                                  0.38230076521820422,  -0.44211114542302099, -0.33267327821224379,
                                  0.025569071899936735};

static void a_plane_ring_gains_nothing(void** state) {
  (void)state;
  HeftWorldDef def = heft_world_def_default();
  HeftState* start = NULL;
  double max = 0;
  def.tolerance = 1e-8;
  Stage s = stage_on(described(ring), &def);
  assert_int_equal(s.model->nv, 10);
  assert_int_equal(heft_state_create(&start, s.model, NULL, NULL), HEFT_OK);
  heft_state_copy(start, heft_world_state(s.world));
  memcpy(start->v, thrown, sizeof thrown);
  assert_int_equal(heft_world_set_state(s.world, start), HEFT_OK);
  for (int i = 0; i < 300; ++i) {
    const HeftStepReport report = stage_step(&s);
    max = fmax(max, report.impulse_energy / report.kinetic);
  }
  printf("plane ring: contacts and loops gave at most %.1e of the kinetic energy in a step\n", max);
  CHECK_AT_MOST(max, 1e-9);
  heft_state_destroy(start);
  stage_close(&s);
}

// A linkage in the plane x-y but for rounding: across the plane it moves by 1e-17 of its motion in
// it. Rows there must be left out, not answered by impulses of 1e17 and more.
static const char linkage[] =
    "<mujoco><compiler angle='radian'/><option timestep='0.002' gravity='0 -9.81 0'/>"
    "<default><joint type='hinge' axis='1e-17 1e-17 1' frictionloss='0.01'/>"
    "<geom size='0.01' density='1000' contype='0' conaffinity='0'/></default><worldbody>"
    "<body axisangle='0 0 1 1.2'><joint/><geom type='capsule' fromto='0 0 0 0.2 0 0'/>"
    "<body pos='0.2 0 0' axisangle='0 0 1 -0.9'><joint/>"
    "<geom type='capsule' fromto='0 0 0 0.3 0 0'/>"
    "<body name='end' pos='0.3 0 0' axisangle='0 0 1 -1.5'><joint/>"
    "<geom type='capsule' fromto='0 0 0 0.25 0 0'/></body></body></body>"
    "<body name='hanger' pos='0.5 0 1e-4'><joint/><geom type='capsule' fromto='0 0 0 0 -0.1 "
    "0'/></body>"
    "</worldbody><equality><weld body1='end' body2='hanger' relpose='0.2 0 0 1 0 0 "
    "0'/></equality></mujoco>";

static void rows_of_rounding_are_left_out(void** state) {
  (void)state;
  HeftWorldDef def = heft_world_def_default();
  HeftPose end, hanger;
  def.sleep = 0;
  Stage s = stage_on(described(linkage), &def);
  for (int i = 0; i < 100; ++i) stage_step(&s);
  assert_int_equal(heft_world_body_pose(s.world, "end", &end, NULL), HEFT_OK);
  assert_int_equal(heft_world_body_pose(s.world, "hanger", &hanger, NULL), HEFT_OK);
  const HeftVec3 at = heft_pose_apply_inverse(end, hanger.pos);
  printf("linkage: the loop is open by %.1e in its plane\n", hypot(at.x - 0.2, at.y));
  CHECK_AT_MOST(hypot(at.x - 0.2, at.y), 1e-6);
  stage_close(&s);
}

// An equality between bodies that cannot move, or that move as one, acts on nothing: not on another
// body of the world either.
#define FIXED_BODIES(equalities)                                                                 \
  "<mujoco><worldbody><geom type='plane' size='5 5 1'/><body name='a' pos='3 0 1'><geom "        \
  "size='.1'/></body><body name='b' pos='3 1 1'><geom size='.1'/></body><body name='ball' "      \
  "pos='0 0 .1'><freejoint/><geom size='.1'/><body name='part' pos='.1 0 .2'><geom size='.05'/>" \
  "</body></body></worldbody>" equalities "</mujoco>"

static void equalities_of_fixed_bodies_do_nothing(void** state) {
  (void)state;
  Stage with = stage_on(
      described(FIXED_BODIES("<equality><weld body1='a' body2='b'/><connect body1='a' body2='b' "
                             "anchor='.3 0 0'/><weld body1='ball' body2='part'/></equality>")),
      NULL);
  Stage without = stage_on(described(FIXED_BODIES("")), NULL);
  for (int i = 0; i < 300; ++i) {
    const HeftStepReport a = stage_step(&with), b = stage_step(&without);
    assert_int_equal(a.status, b.status);
    assert_true(a.kinetic == b.kinetic && a.potential == b.potential);
  }
  assert_memory_equal(heft_world_state(with.world)->q, heft_world_state(without.world)->q,
                      sizeof(double) * 7);
  stage_close(&with);
  stage_close(&without);
}

// The normals of these contacts go through the centres of the joints: the balls cannot move along
// them but by a lever arm of rounding. Impulses of 1e20 N s added 1e7 J.
static void normals_through_joints_push_nothing(void** state) {
  (void)state;
  static const char text[] =
      "<mujoco><option timestep='0.05'/><default><geom friction='0 0 0'/></default><worldbody>"
      "<body pos='1 1 1.3'><joint name='j' type='ball' stiffness='0.05' damping='0.005' "
      "frictionloss='0.005'/><geom type='ellipsoid' size='0.005 0.005 0.005' mass='0.05'/>"
      "<geom size='0.005' mass='0.05'/></body><body pos='1 1 1.3'><joint type='ball' "
      "stiffness='0.05' damping='1.1' frictionloss='0.004'/><geom type='capsule' size='0.425 "
      "0.056' mass='0.375'/><geom type='ellipsoid' size='0.175 0.00325 0.036' mass='325'/></body>"
      "</worldbody><actuator><motor joint='j' gear='-10'/></actuator></mujoco>";
  Stage s = stage_on(described(text), NULL);
  heft_world_controls(s.world)[0] = 1;
  for (int i = 0; i < 6; ++i) {
    const HeftStepReport report = heft_world_step(s.world);
    assert_true(heft_step_taken(report.status));
    CHECK_AT_MOST(report.impulse_energy, 1e-6);
    for (int k = 0; k < heft_world_contact_count(s.world); ++k)
      CHECK_AT_MOST(heft_vec3_norm(heft_world_contact(s.world, k).force), 1e6);
  }
  stage_close(&s);
}

// Balls on hinges whose axes go through their centres touch on the axes: nothing moves there, in no
// row. The impulses between them were 1e15 N s, the energy rose to 1e16 J in five steps.
static void balls_on_axes_push_nothing(void** state) {
  (void)state;
  static const char text[] =
      "<mujoco><option timestep='0.01'/><default><geom friction='0.5 0 0' size='.375' "
      "mass='3.75'/><joint type='hinge' axis='.5 .5 1' stiffness='3.75'/></default><worldbody>"
      "<geom type='plane' size='0 0 1'/>"
      "<body name='a' pos='.5 .5 .8'><joint/><geom/><geom/></body>"
      "<body pos='.5 .5 .8'><joint axis='-1e-6 0 1' stiffness='1'/><geom/>"
      "<geom type='ellipsoid' size='.375 1.625 .375'/></body>"
      "<body pos='.5 .5 .8'><joint/><geom/><geom/></body>"
      "<body pos='.5 .5 .8'><joint/><geom mass='4.25'/><geom type='ellipsoid' size='.225 1.5 .002' "
      "mass='13.5'/><body name='b' pos='.5 0 -1'><geom size='2.25' mass='3.5'/></body></body>"
      "</worldbody><equality><connect body1='a' body2='b' anchor='0 0 0'/></equality></mujoco>";
  HeftWorldDef def = heft_world_def_default();
  def.time_step = 0.01;
  Stage s = stage_on(described(text), &def);
  const double v[4] = {-2.5, 0.3543307086614178, 5, 5};
  assert_int_equal(heft_world_set_v(s.world, 0, v, 4, NULL), HEFT_OK);
  for (int i = 0; i < 6; ++i) {
    const HeftStepReport report = heft_world_step(s.world);
    assert_true(heft_step_taken(report.status));
    CHECK_AT_MOST(report.impulse_energy, 1e-6);
    CHECK_AT_MOST(report.kinetic, 300);
  }
  stage_close(&s);
}

// A four-bar linkage without weight keeps its kinetic energy while its crank turns by up to a
// tenth of a radian in a step, and its coupler by a quarter: the loop carries energy from tree to
// tree, so no tree keeps its own.
static const char four_bar[] =
    "<mujoco><option gravity='0 0 0'/><default><joint axis='0 1 0'/>"
    "<geom type='capsule' size='.01' contype='0' conaffinity='0'/></default><worldbody>"
    "<body><joint/><geom fromto='0 0 0 0 0 .2' mass='.3'/>"
    "<body name='b' pos='0 0 .2'><joint/><geom fromto='0 0 0 .5 0 .3' mass='.6'/></body></body>"
    "<body name='c' pos='.5 0 0'><joint/><geom fromto='0 0 0 0 0 .5' mass='.6'/></body></worldbody>"
    "<equality><connect body1='b' body2='c' anchor='.5 0 .3'/></equality></mujoco>";

static void a_linkage_keeps_its_energy(void** state) {
  (void)state;
  for (int i = 0; i < 3; ++i) {
    HeftWorldDef def = heft_world_def_default();
    def.time_step = (const double[]){0.001, 0.002, 0.005}[i];
    const double crank = 20;
    Stage s = stage_on(described(four_bar), &def);
    assert_int_equal(heft_world_set_v(s.world, 0, &crank, 1, NULL), HEFT_OK);
    stage_step(&s);
    const double start = stage_step(&s).kinetic;
    double lost = 0;
    for (int n = 0; n < (int)(3 / def.time_step); ++n)
      lost = fmax(lost, fabs(1 - stage_step(&s).kinetic / start));
    printf("four-bar at %g rad a step: energy off by %.1e\n", crank * def.time_step, lost);
    CHECK_AT_MOST(lost, 1e-3);
    stage_close(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_plane_ring_gains_nothing),
                                     cmocka_unit_test(a_linkage_keeps_its_energy),
                                     cmocka_unit_test(rows_of_rounding_are_left_out),
                                     cmocka_unit_test(equalities_of_fixed_bodies_do_nothing),
                                     cmocka_unit_test(normals_through_joints_push_nothing),
                                     cmocka_unit_test(balls_on_axes_push_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
