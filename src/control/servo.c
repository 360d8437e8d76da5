// SPDX-License-Identifier: Apache-2.0
// Papers: R47, R48, S8, S9.
// Servos: PD with feed-forward, and a geared motor with friction.
//
// [Chardonnet 2012] writes Γ = R (K_p (q_d - q) + K_v (q̇_d - q̇)) + μ_v q̇ + μ_d sign(q̇) (Eq.
// 22). As a torque that acts on the joint friction must resist: both last terms get a minus here.
#include <heft/control.h>

#include "base/assert.h"
#include "math/scalar.h"

void heft_pd_torques(const HeftModel* m, const double* kp, const double* kv, const double* q_d,
                     const double* v_d, const double* ff, const double* q, const double* v,
                     double* scratch, double* tau) {
  HEFT_REQUIRE_VOID(m && kp && kv && q_d && q && v && scratch && tau);
  heft_q_difference(m, q, q_d, scratch);
  for (int i = 0; i < m->nv; ++i)
    tau[i] = (ff ? ff[i] : 0) + kp[i] * scratch[i] + kv[i] * ((v_d ? v_d[i] : 0) - v[i]);
}

static double resistance(const HeftDrive* d, double v) {
  if (v == 0) return 0;
  const double share = d->dry_speed > 0 ? heft_clamp(v / d->dry_speed, -1, 1) : copysign(1, v);
  return d->viscous * v + d->dry * share;
}

double heft_drive_torque(const HeftDrive* d, double q_d, double v_d, double ff, double q,
                         double v) {
  HEFT_REQUIRE(d && d->gear != 0, 0);
  double motor = d->kp * (q_d - q) + d->kv * (v_d - v) + ff / d->gear;
  if (d->limit > 0) motor = heft_clamp(motor, -d->limit, d->limit);
  return d->gear * motor - resistance(d, v);
}

double heft_drive_armature(const HeftDrive* d) {
  HEFT_REQUIRE(d, 0);
  return d->gear * d->gear * d->rotor_inertia;
}
