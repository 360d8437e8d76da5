// SPDX-License-Identifier: Apache-2.0
// Papers: R50, S14.
// A six-axis force sensor and the external wrench computed from it.
//
// The load on the sensor moves as m ẍ = P + f_e + f_r ([Chardonnet 2012], Eq. 18): with its weight
// P, the external force f_e, and the force f_r of the robot. The sensor gives six numbers l with
// f_r = G (l + d) up to sign, with the offset d (Eq. 19-20). At rest f_e = -P - f_r; the reading
// here is the force on the robot's side, -f_r, so that f_e = -P + G (l + d), as there.
#include <heft/control.h>
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include "math/dense.h"

HeftForceSensor heft_force_sensor_default(void) {
  HeftForceSensor s = {.quat = {1, 0, 0, 0}};
  for (int i = 0; i < 6; ++i) s.matrix[7 * i] = 1;
  return s;
}

// A normal number from the sum of twelve uniform ones (Irwin and Hall): no logarithm, bounded by 6.
static double normal(uint64_t seed, uint64_t tick, int which) {
  double sum = -6;
  for (uint64_t k = 0; k < 12; ++k) {
    const uint64_t key[4] = {seed, tick, (uint64_t)which, k};
    sum += (double)(hash_array(key, 4, 8, 0) >> 11) * 0x1p-53;
  }
  return sum;
}

static HeftVec3 into(HeftQuat frame, HeftVec3 v) {
  return heft_quat_rotate(heft_quat_conjugate(frame), v);
}

HeftStatus heft_force_sensor_read(const HeftForceSensor* s, HeftQuat body, HeftSpatial wrench,
                                  uint64_t tick, double raw[6]) {
  HEFT_REQUIRE(s && raw, HEFT_ERR_ARGUMENT);
  const HeftQuat frame = heft_quat_mul(body, s->quat);
  const HeftVec3 f = into(frame, wrench.lin), n = into(frame, wrench.ang);
  double g[36];
  int pivot[6];
  memcpy(g, s->matrix, sizeof g);
  if (heft_lu_factor(6, g, 6, pivot) != 0) return HEFT_ERR_SINGULAR;
  const double felt[6] = {f.x, f.y, f.z, n.x, n.y, n.z};
  memcpy(raw, felt, sizeof felt);
  heft_lu_solve(6, g, 6, pivot, raw);
  for (int i = 0; i < 6; ++i) {
    raw[i] -= s->offset[i];
    if (s->noise[i] > 0) raw[i] += s->noise[i] * normal(s->seed, tick, i);
  }
  return HEFT_OK;
}

HeftSpatial heft_force_sensor_outside(const HeftForceSensor* s, HeftQuat body, HeftVec3 gravity,
                                      const double raw[6]) {
  HEFT_REQUIRE(s && raw, ((HeftSpatial){0}));
  double felt[6] = {0};
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 6; ++k) felt[i] += s->matrix[6 * i + k] * (raw[k] + s->offset[k]);
  const HeftQuat frame = heft_quat_mul(body, s->quat);
  const HeftVec3 weight = heft_vec3_scale(s->mass, into(frame, gravity));
  const HeftVec3 f = heft_vec3_sub(heft_vec3_from(felt), weight);
  const HeftVec3 n = heft_vec3_sub(heft_vec3_from(felt + 3), heft_vec3_cross(s->com, weight));
  return heft_spatial(heft_quat_rotate(frame, n), heft_quat_rotate(frame, f));
}
