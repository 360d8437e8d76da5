// SPDX-License-Identifier: Apache-2.0
// Papers: S12.
// Force plates: the wrench of the ground on a foot.
//
// A force f and a torque n about the plate's origin have the centre of pressure where the torque
// along the plate vanishes: with n = r × f, x = -n_y / f_z and y = n_x / f_z ([Moraud 2008] gives
// both a plus, which holds for other axes than these).
#include <heft/control.h>

#include "base/assert.h"

HeftForcePlate heft_force_plate_read(const HeftWorld* world, int body, int other, double height) {
  const HeftForcePlate none = {0};
  HEFT_REQUIRE(world, none);
  const int nbody = heft_world_model(world)->nbody;
  HEFT_REQUIRE(body >= 0 && body < nbody && other >= 0 && other < nbody && other != body, none);
  const HeftSpatial w = heft_world_pair_wrench(world, body, other, heft_vec3(0, 0, height));
  HeftForcePlate p = {.force = w.lin};
  if (!(w.lin.z > 0)) return none;
  p.loaded = 1;
  p.center = heft_vec3(-w.ang.y / w.lin.z, w.ang.x / w.lin.z, height);
  p.twist = w.ang.z - (p.center.x * w.lin.y - p.center.y * w.lin.x);
  return p;
}
