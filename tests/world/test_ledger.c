// SPDX-License-Identifier: Apache-2.0
// The energy ledger of a step: each part is the work of its force, the parts sum up to the change
// of energy, and a world at rest has none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "world/described.h"
#include "world/stage.h"

static double sum_of(const HeftStepReport* r) {
  return r->work + r->contact_work + r->limit_work + r->loop_work + r->friction_work +
         r->moved_work + r->correction_work + r->scheme_work - r->damping + r->energy_change;
}

// The sums of all parts over a run.
typedef struct Run {
  HeftStepReport sum;
  double energy, worst;  ///< energy after the run; largest defect of a step
} Run;

static Run run_for(Stage* s, double seconds) {
  Run run = {{.status = HEFT_STEP_SOLVED}, 0, 0};
  double before = s->world->kinetic + s->world->potential;
  const double size = fabs(before) + s->world->kinetic + 1e-3;
  for (int i = 0; i < (int)(seconds / s->world->step_length + 0.5); ++i) {
    const HeftStepReport r = stage_step(s);
    const double after = r.kinetic + r.potential;
    CHECK_AT_MOST(fabs(after - before - sum_of(&r)), 1e-12 * size);
    run.worst = fmax(run.worst, fabs(r.energy_change));
    heft_ledger_join(&run.sum, &r);
    before = after;
  }
  run.energy = before;
  return run;
}

static void set_velocity(Stage* s, int dof, double speed) {
  HeftState* start = NULL;
  assert_int_equal(heft_state_create(&start, s->model, NULL, NULL), HEFT_OK);
  heft_state_copy(start, heft_world_state(s->world));
  start->v[dof] = speed;
  assert_int_equal(heft_world_set_state(s->world, start), HEFT_OK);
  heft_state_destroy(start);
}

#define WORLD "<mujoco><option timestep='0.001'/><worldbody>"
#define END "</worldbody></mujoco>"
#define FLOOR "<geom type='plane' size='9 9 1' friction='.5'/>"
#define BOX(z, mass)                                                                             \
  "<body pos='0 0 " z "'><freejoint/><geom type='box' size='.1 .1 .1' friction='.5' mass='" mass \
  "'/></body>"

// ---- rest

static void rest_costs_nothing(void** state) {
  (void)state;
  static const char* const texts[] = {
      WORLD FLOOR BOX(".1", "1") END,
      WORLD FLOOR BOX(".1", "1") BOX(".3", "1") BOX(".5", "100") END,
      WORLD
      "<body><joint type='hinge' axis='0 1 0' frictionloss='9'/>"
      "<geom type='capsule' fromto='0 0 0 .3 0 0' size='.02' mass='1'/></body>" END,
      WORLD
      "<body><joint type='hinge' axis='0 1 0' limited='true' range='-10 0'/>"
      "<geom type='capsule' fromto='0 0 0 .3 0 0' size='.02' mass='1'/></body>" END};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    Stage s = stage_on(described(texts[i]), NULL);
    run_for(&s, 0.1);
    const Run run = run_for(&s, 0.2);
    printf("at rest, %d: defect at most %.1e J\n", (int)i, run.worst);
    CHECK_AT_MOST(run.worst, 1e-12);
    CHECK_AT_MOST(fabs(run.sum.contact_work) + fabs(run.sum.limit_work), 1e-7);
    stage_close(&s);
  }
}

// ---- parts that are known

// A box slides to a halt: the contact takes all of its energy, μ m g d.
static void sliding_is_contact_work(void** state) {
  (void)state;
  Stage s = stage_on(described(WORLD FLOOR BOX(".1", "2") END), NULL);
  run_for(&s, 0.05);
  set_velocity(&s, 0, 1);
  const double start = heft_world_state(s.world)->q[0];
  const Run run = run_for(&s, 0.5);
  const double way = heft_world_state(s.world)->q[0] - start;
  printf("slide: contact %.6f J, friction times way %.6f J, defect %.1e J\n", run.sum.contact_work,
         -0.5 * 2 * 9.81 * way, run.sum.energy_change);
  CHECK_AT_MOST(fabs(run.sum.contact_work + 1), 1e-6);
  CHECK_AT_MOST(fabs(run.sum.energy_change), 1e-12);
  assert_true(run.sum.limit_work == 0 && run.sum.loop_work == 0 && run.sum.friction_work == 0);
  stage_close(&s);
}

// A slide with dry friction and a limit: friction takes F d, the limit the rest.
static void joints_tell_their_work_apart(void** state) {
  (void)state;
  Stage s = stage_on(
      described("<mujoco><option timestep='0.001' gravity='0 0 0'/><worldbody><body>"
                "<joint type='slide' axis='1 0 0' frictionloss='3' limited='true' range='-1 .1'/>"
                "<geom type='sphere' size='.1' mass='2'/></body></worldbody></mujoco>"),
      NULL);
  set_velocity(&s, 0, 2);
  const Run run = run_for(&s, 0.3);
  printf("joint: dry friction %.6f J, limit %.6f J, defect %.1e J\n", run.sum.friction_work,
         run.sum.limit_work, run.sum.energy_change);
  CHECK_AT_MOST(fabs(run.sum.friction_work + 3 * 0.1), 0.01);
  CHECK_AT_MOST(fabs(run.sum.friction_work + run.sum.limit_work + 4), 1e-12);
  CHECK_AT_MOST(fabs(run.sum.energy_change), 1e-12);
  stage_close(&s);
}

// An elastic impact does no work, an inelastic one takes the kinetic energy.
static void impacts_are_contact_work(void** state) {
  (void)state;
  Stage s = stage_on(described(WORLD FLOOR BOX(".6", "1") END), NULL);
  const Run run = run_for(&s, 0.6);
  printf("drop: contact %.6f J, scheme %.1e J, correction %.1e J, defect %.1e J\n",
         run.sum.contact_work, run.sum.scheme_work, run.sum.correction_work, run.sum.energy_change);
  CHECK_AT_MOST(fabs(run.sum.contact_work + 0.5 * 9.81), 0.05);
  CHECK_AT_MOST(run.worst, 1e-12);
  stage_close(&s);
}

// Loops do no work, and substeps add up.
static void loops_do_no_work(void** state) {
  (void)state;
  HeftWorldDef def = heft_world_def_default();
  def.substeps = 4;
  Stage s = stage_on(
      described(WORLD "<body name='a'><joint type='hinge' axis='0 1 0' damping='.01'/>"
                      "<geom type='capsule' fromto='0 0 0 0 0 .3' size='.01' mass='.5' "
                      "contype='0' conaffinity='0'/><body name='b' pos='0 0 .3'>"
                      "<joint type='hinge' axis='0 1 0'/><geom type='capsule' "
                      "fromto='0 0 0 .3 0 .3' size='.01' mass='.5' contype='0' conaffinity='0'/>"
                      "</body></body><body name='c' pos='.6 0 .3'><joint type='hinge' "
                      "axis='0 1 0'/><geom type='capsule' fromto='0 0 0 -.3 0 .3' size='.01' "
                      "mass='.5' contype='0' conaffinity='0'/></body></worldbody><equality>"
                      "<connect body1='b' body2='c' anchor='.3 0 .3'/></equality></mujoco>"),
      &def);
  const double before = s.world->kinetic + s.world->potential;
  const Run run = run_for(&s, 1);
  printf("loop: %.3f J of damping, %.1e J of the loop, defect %.1e J\n", run.sum.damping,
         run.sum.loop_work, run.sum.energy_change);
  CHECK_AT_MOST(fabs(run.sum.loop_work), 1e-9);
  CHECK_AT_MOST(fabs(run.energy - before + run.sum.damping), 1e-4);
  stage_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rest_costs_nothing), cmocka_unit_test(sliding_is_contact_work),
      cmocka_unit_test(joints_tell_their_work_apart), cmocka_unit_test(impacts_are_contact_work),
      cmocka_unit_test(loops_do_no_work)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
