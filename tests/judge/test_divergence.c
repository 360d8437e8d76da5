// SPDX-License-Identifier: Apache-2.0
// Two runs of a block: the same, from another height, with another friction.
#include "judge/divergence.h"

#include <heft/world.h>
#include <math.h>

#include "support/check.h"
#include "support/scene.h"

enum { CONTACTS = 16, STEPS = 200 };

static const char block[] =
    "<mujoco><option timestep='0.001' gravity='3 0 -9.81'/><worldbody><geom type='plane' size='5 5 "
    "1' friction='0.5'/><body name='block' pos='0 0 0.06'><freejoint/><geom type='box' size='0.05 "
    "0.05 0.05' mass='2' friction='0.5'/></body></worldbody></mujoco>";

typedef struct Side {
  HeftModel* m;
  HeftWorld* w;
  RefereeContact list[CONTACTS];
  RefereeRow row;
} Side;

static void open_side(Side* s, double friction) {
  HeftError error = {0};
  s->m = scene_model(block);
  for (int i = 0; i < s->m->nmaterial; ++i)
    s->m->material_friction[i] = s->m->material_kinetic[i] = friction;
  assert_int_equal(heft_world_create(&s->w, s->m, NULL, &error), HEFT_OK);
}

static void read_side(Side* s, double time, double shift, double* q) {
  const HeftState* state = heft_world_state(s->w);
  const int count = heft_world_contact_count(s->w);
  for (int i = 0; i < 7; ++i) q[i] = state->q[i] + (i == 1 ? shift : 0);
  for (int k = 0; k < count && k < CONTACTS; ++k) {
    const HeftContact c = heft_world_contact(s->w, k);
    s->list[k] = (RefereeContact){c.body_a, c.body_b, c.pos, c.normal, c.force, c.torque};
  }
  s->row =
      (RefereeRow){.time = time, .q = q, .v = state->v, .contact = s->list, .contact_count = count};
}

// shift: of the second run along y, from the middle of the run on.
static DivergenceReport part(double friction, double shift) {
  Side side[2];
  Divergence* p = NULL;
  HeftError error = {0};
  double q[2][7];
  open_side(&side[0], 0.5);
  open_side(&side[1], friction);
  const HeftModel* const models[2] = {side[0].m, side[1].m};
  assert_int_equal(divergence_create(&p, models, 1e-6, &error), HEFT_OK);
  for (int i = 0; i <= STEPS; ++i) {
    const RefereeRow* const rows[2] = {&side[0].row, &side[1].row};
    for (int k = 0; k < 2; ++k) {
      if (i > 0) heft_world_step(side[k].w);
      read_side(&side[k], 1e-3 * i, k == 1 && i >= STEPS / 2 ? shift : 0, q[k]);
    }
    assert_int_equal(divergence_rows(p, rows, &error), 1);
  }
  const DivergenceReport out = *divergence_report(p);
  divergence_destroy(p);
  for (int k = 0; k < 2; ++k) {
    heft_world_destroy(side[k].w);
    heft_model_destroy(side[k].m);
  }
  return out;
}

static void same_runs_do_not_part(void** state) {
  (void)state;
  const DivergenceReport r = part(0.5, 0);
  assert_int_equal(r.parted, 0);
  assert_int_equal(r.rows, STEPS + 1);
  assert_true(r.most == 0 && isnan(r.onset));
  for (int k = 0; k < DIVERGENCE_KIND_COUNT; ++k) assert_int_equal(r.cause[k].found, 0);
}

static void first_row_and_cause(void** state) {
  (void)state;
  const DivergenceReport jump = part(0.5, 0.01);
  assert_int_equal(jump.parted, 1);
  assert_int_equal(jump.body, 1);
  CHECK_AT_MOST(fabs(jump.time - 1e-3 * STEPS / 2), 1e-12);
  CHECK_AT_MOST(fabs(jump.distance - 0.01), 1e-12);
  assert_int_equal(jump.cause[DIVERGENCE_LAW].found, 1);  // it moved without velocity
  assert_int_equal(jump.cause[DIVERGENCE_LAW].law, REFEREE_MOTION);
  assert_true(jump.cause[DIVERGENCE_LAW].value[1] == 1);
  const DivergenceReport slides = part(0.2, 0);
  assert_int_equal(slides.parted, 1);
  assert_int_equal(slides.cause[DIVERGENCE_FORCE].found, 1);  // both touch in the same step
  assert_int_equal(slides.cause[DIVERGENCE_TOUCH].found, 0);
  assert_true(slides.cause[DIVERGENCE_FORCE].time <= slides.time);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_runs_do_not_part),
      cmocka_unit_test(first_row_and_cause),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
