// SPDX-License-Identifier: Apache-2.0
// Papers: R10.
// Second order with constraints: loops, dry friction and limits without contact keep the order of
// the scheme, its energy and its momentum. Robots in contact have order 1; of contact that lasts
// between free bodies see test_rolling.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "scenes/order.h"
#include "world/described.h"
#include "world/stage.h"

static Stage start_at(const char* text, double h, const double* q, const double* v, int count) {
  HeftWorldDef def = heft_world_def_default();
  HeftState* start = NULL;
  def.time_step = h;
  Stage s = stage_on(described(text), &def);
  assert_int_equal(heft_state_create(&start, s.model, NULL, NULL), HEFT_OK);
  heft_state_copy(start, heft_world_state(s.world));
  for (int i = 0; i < count; ++i) {
    if (q) start->q[i] = q[i];
    start->v[i] = v[i];
  }
  assert_int_equal(heft_world_set_state(s.world, start), HEFT_OK);
  heft_state_destroy(start);
  return s;
}

static double energy_of(const HeftStepReport* r) { return r->kinetic + r->potential; }

// The largest change of the energy after the first step, relative to the energy `scale`.
static double energy_error(Stage* s, double seconds, double scale) {
  const int steps = (int)(seconds / s->world->input.h + 0.5);
  HeftStepReport r = stage_step(s);
  const double first = energy_of(&r);
  double worst = 0;
  for (int i = 1; i < steps; ++i) {
    r = stage_step(s);
    assert_int_equal(r.status, HEFT_STEP_SOLVED);
    worst = fmax(worst, fabs(energy_of(&r) - first));
  }
  return worst / scale;
}

// ---- energy

static void a_linkage_keeps_its_energy(void** state) {
  (void)state;
  static const double v[3] = {20, -20, 8};
  static const double steps[] = {0.0005, 0.001, 0.002};
  for (int i = 0; i < 3; ++i) {
    Stage s = start_at(linkage_four_bar, steps[i], NULL, v, 3);
    const double worst = energy_error(&s, STAGE_SANITIZED ? 0.5 : 5, s.world->kinetic);
    printf("four-bar at 20 rad/s, %g ms: energy within %.1e\n", 1e3 * steps[i], worst);
    CHECK_AT_MOST(worst, 1e-10);
    stage_close(&s);
  }
}

// A start that tears the loop apart: the impact of the first step takes energy, and no velocity of
// the loop is left to oscillate.
static void a_torn_loop_closes(void** state) {
  (void)state;
  static const double v[3] = {20, 0, 0};
  Stage s = start_at(linkage_four_bar, 0.001, NULL, v, 3);
  const double before = s.world->kinetic;
  HeftStepReport r = stage_step(&s);
  assert_true(r.kinetic < before);
  const double worst = energy_error(&s, 1, r.kinetic);
  printf("torn four-bar: the impact leaves %.3f of the energy, then it stays within %.1e\n",
         r.kinetic / before, worst);
  CHECK_AT_MOST(worst, 1e-10);
  stage_close(&s);
}

static void little_friction_changes_little(void** state) {
  (void)state;
  static const double v[2] = {3, -9};
  Stage free = start_at(LINKAGE_DOUBLE("", ""), 0.001, NULL, v, 2);
  Stage dry =
      start_at(LINKAGE_DOUBLE("frictionloss='1e-9'", "frictionloss='1e-9'"), 0.001, NULL, v, 2);
  double worst = 0, first = 0;
  for (int i = 0; i < 5000; ++i) {
    const HeftStepReport a = stage_step(&free), b = stage_step(&dry);
    if (i == 0) first = a.kinetic;
    worst = fmax(worst, fabs(energy_of(&a) - energy_of(&b)));
  }
  printf("dry friction of 1e-9: energy differs by %.1e of the start\n", worst / first);
  CHECK_AT_MOST(worst / first, 1e-5);
  stage_close(&free);
  stage_close(&dry);
}

// ---- momentum

// Nothing acts from outside. A limit is hit again and again, so that the order of the scheme
// changes; momentum is conserved.
static void switching_keeps_momentum(void** state) {
  (void)state;
  static const double v[18] = {0.3, -0.2, 1, 1, 2, 0.5, 4, 0, 0, 0, -4};
  Stage s = start_at(LINKAGE_FLOATING("0", "limited='true' range='-8 8'"), 0.001, NULL, v, 11);
  const HeftVec3 origin = {0, 0, 0};
  const HeftSpatial before = heft_dynamics_momentum(heft_world_dynamics(s.world), 0, origin);
  int first = 0, second = 0;
  for (int i = 0; i < 2000; ++i) {
    stage_step(&s);
    first += !s.world->constraints->midpoint.any;
    second += s.world->constraints->midpoint.any;
  }
  const HeftSpatial after = heft_dynamics_momentum(heft_world_dynamics(s.world), 0, origin);
  const double linear = heft_vec3_norm(heft_vec3_sub(after.lin, before.lin)),
               angular = heft_vec3_norm(heft_vec3_sub(after.ang, before.ang));
  printf("%d steps of first order, %d of second: momentum changes by %.1e, angular by %.1e\n",
         first, second, linear, angular);
  assert_true(first > 0 && second > 0);
  CHECK_AT_MOST(linear, 1e-11);
  CHECK_AT_MOST(angular, 1e-10);
  stage_close(&s);
}

// ---- order

static void the_order_is_kept(void** state) {
  (void)state;
  for (size_t k = 0; k < sizeof linkage_motions / sizeof *linkage_motions; ++k) {
    double apart[3] = {0};
    const double order = linkage_order(&linkage_motions[k], 0.128, 3, apart);
    printf("%-14s differences %.1e, %.1e: order %.2f\n", linkage_motions[k].name, apart[1],
           apart[2], order);
    assert_true(order > linkage_motions[k].order - 0.2);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_linkage_keeps_its_energy), cmocka_unit_test(a_torn_loop_closes),
      cmocka_unit_test(little_friction_changes_little), cmocka_unit_test(switching_keeps_momentum),
      cmocka_unit_test(the_order_is_kept)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
