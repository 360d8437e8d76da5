// SPDX-License-Identifier: Apache-2.0
// A block between two pads, pressed by servos at their force limits, hangs by friction alone: the
// points of a face share the load, so that it does not turn away about a corner.
#include <math.h>
#include <stdio.h>

#include "described.h"
#include "stage.h"

static const char* const gripper =
    "<mujoco><option timestep='0.002'/>"
    "<default><geom friction='0.8 0 0'/><general forcelimited='true' forcerange='-15 "
    "15'/></default>"
    "<worldbody>"
    "<body name='left' pos='-0.055 0 0.5'><joint name='left' type='slide' axis='1 0 0'/>"
    "<geom type='box' size='0.01 0.03 0.03' mass='0.2'/></body>"
    "<body name='right' pos='0.055 0 0.5'><joint name='right' type='slide' axis='-1 0 0'/>"
    "<geom type='box' size='0.01 0.03 0.03' mass='0.2'/></body>"
    "<body name='block' pos='0 0 0.5'><freejoint/>"
    "<geom type='box' size='0.045 0.02 0.02' mass='1'/></body></worldbody>"
    "<actuator>"
    "<general joint='left' gainprm='5000' biastype='affine' biasprm='0 -5000 -70'/>"
    "<general joint='right' gainprm='5000' biastype='affine' biasprm='0 -5000 -70'/>"
    "</actuator></mujoco>";

static void block_hangs_between_pads(void** state) {
  (void)state;
  Stage s = stage_on(described(gripper), NULL);
  double* control = heft_world_controls(s.world);
  control[0] = control[1] = 0.03;
  for (int i = 0; i < 500; ++i) {
    const HeftStepReport report = heft_world_step(s.world);
    assert_int_equal(report.status, HEFT_STEP_SOLVED);
    CHECK_AT_MOST(report.relative, 1e-6);
  }
  const HeftVec3 carried = heft_world_contact_wrench(s.world, 3, heft_vec3(0, 0, 0)).lin;
  const double fallen = 0.5 - heft_world_state(s.world)->q[4];
  printf("grip: fallen by %.1e m, carried with %.9f N\n", fallen, carried.z);
  CHECK_AT_MOST(fabs(fallen), 1e-7);
  CHECK_AT_MOST(fabs(carried.z / 9.81 - 1), 1e-6);
  stage_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(block_hangs_between_pads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
