// SPDX-License-Identifier: Apache-2.0
// Papers: U10.
// A soft pad as docs/manual/models-and-files.md describes it: a body on a slide joint with spring
// and damper. Contact stays exact, and the pad gives way by its own stiffness.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "world/described.h"
#include "world/stage.h"

static const double stiffness = 2000, mass = 1.01, weight_g = 9.81;

// A block of 1 kg on a pad of 10 g, under a gravity that leans by this slope.
static Stage block_on_pad(double slope, double h) {
  char text[900];
  const double down = weight_g / sqrt(1 + slope * slope);
  snprintf(text, sizeof text,
           "<mujoco><option timestep='%g' gravity='%.17g 0 %.17g'/><worldbody>"
           "<geom type='plane' size='5 5 1' friction='0.5'/><body pos='0 0 0.1'><freejoint/>"
           "<geom type='box' size='.1 .1 .05' mass='1' contype='0' conaffinity='0'/>"
           "<body name='pad' pos='0 0 -.09'><joint type='slide' axis='0 0 1' stiffness='%g' "
           "damping='20'/><geom type='box' size='.1 .1 .01' mass='.01' friction='0.5'/></body>"
           "</body></worldbody></mujoco>",
           h, slope * down, -down, stiffness);
  return stage_on(described(text), NULL);
}

// At rest the pad is pressed together by the weight of the block, without the pad's own, over k.
static void the_pad_gives_way_by_its_stiffness(void** state) {
  (void)state;
  const double steps[] = {0.0005, 0.002, 0.01};
  for (int i = 0; i < 3; ++i) {
    Stage s = block_on_pad(0, steps[i]);
    HeftStepReport r = {0};
    for (int k = 0; k < (int)(2 / steps[i]); ++k) r = stage_step(&s);
    const double* q = heft_world_state(s.world)->q;
    assert_int_equal(r.status, HEFT_STEP_SOLVED);
    CHECK_AT_MOST(fabs(q[7] - weight_g / stiffness), 1e-6);
    CHECK_AT_MOST(fabs(q[2] - (0.1 - weight_g / stiffness)), 1e-6);
    const HeftVec3 origin = {0, 0, 0};
    const double force = heft_world_contact_wrench(s.world, 2, origin).lin.z;
    CHECK_AT_MOST(fabs(force - mass * weight_g), 1e-3);
    stage_close(&s);
  }
}

// On a slope below the friction coefficient it does not creep.
static void the_pad_does_not_creep(void** state) {
  (void)state;
  Stage s = block_on_pad(0.49, 0.002);
  for (int k = 0; k < 1000; ++k) stage_step(&s);
  const double x = heft_world_state(s.world)->q[0];
  for (int k = 0; k < 1000; ++k) stage_step(&s);
  CHECK_AT_MOST(fabs(heft_world_state(s.world)->q[0] - x), 1e-7);
  stage_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_pad_gives_way_by_its_stiffness),
                                     cmocka_unit_test(the_pad_does_not_creep)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
