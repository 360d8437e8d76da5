// SPDX-License-Identifier: Apache-2.0
// Papers: R6.
// Moving on the space of positions: q ⊕ v dt and its inverse.
//
// Hinges and slides are numbers. A quaternion turns by the exponential map, q⁺ = q ∘ exp(ω dt) with
// ω in the body's frame, which keeps it on the unit sphere; it is normalised against rounding all
// the same. A quaternion that does not turn keeps its bits.
#include <heft/model.h>
#include <math.h>

#include "base/assert.h"
#include "model/joint_kind.h"

static void write_quat(double* out, HeftQuat q) {
  out[0] = q.w;
  out[1] = q.x;
  out[2] = q.y;
  out[3] = q.z;
}

static void quat_integrate(const double* q, const double* omega, double dt, double* out) {
  const HeftVec3 turn = heft_vec3(omega[0] * dt, omega[1] * dt, omega[2] * dt);
  if (turn.x == 0 && turn.y == 0 && turn.z == 0) {
    write_quat(out, heft_quat_from(q));
    return;
  }
  write_quat(out, heft_quat_normalize(heft_quat_mul(heft_quat_from(q), heft_quat_exp(turn))));
}

static void quat_difference(const double* q0, const double* q1, double* out) {
  const HeftVec3 turn =
      heft_quat_log(heft_quat_mul(heft_quat_conjugate(heft_quat_from(q0)), heft_quat_from(q1)));
  out[0] = turn.x;
  out[1] = turn.y;
  out[2] = turn.z;
}

// The coordinates of a joint that are plain numbers: before its quaternion, or all.
static int plain_count(HeftJointType type) {
  const int offset = joint_rotation(type);
  return offset >= 0 ? offset : heft_joint_type_q_count(type);
}

void heft_q_integrate(const HeftModel* model, const double* q, const double* v, double dt,
                      double* out) {
  HEFT_REQUIRE_VOID(model && q && v && out);
  for (int j = 0; j < model->njoint; ++j) {
    const HeftJointType type = model->joint_type[j];
    const int iq = model->joint_q[j], iv = model->joint_dof[j];
    HEFT_ASSERT(iq >= 0 && iv >= 0);
    if (joint_is_scalar(type)) {
      out[iq] = q[iq] + v[iv] * dt;
      continue;
    }
    const int plain = plain_count(type);
    for (int k = 0; k < plain; ++k) out[iq + k] = q[iq + k] + v[iv + k] * dt;
    if (joint_rotation(type) >= 0)
      quat_integrate(q + iq + plain, v + iv + plain, dt, out + iq + plain);
  }
}

void heft_q_difference(const HeftModel* model, const double* q0, const double* q1, double* out) {
  HEFT_REQUIRE_VOID(model && q0 && q1 && out);
  for (int j = 0; j < model->njoint; ++j) {
    const HeftJointType type = model->joint_type[j];
    const int iq = model->joint_q[j], iv = model->joint_dof[j];
    HEFT_ASSERT(iq >= 0 && iv >= 0);
    const int plain = plain_count(type);
    for (int k = 0; k < plain; ++k) out[iv + k] = q1[iq + k] - q0[iq + k];
    if (joint_rotation(type) >= 0)
      quat_difference(q0 + iq + plain, q1 + iq + plain, out + iv + plain);
  }
}

void heft_q_normalize(const HeftModel* model, double* q) {
  HEFT_REQUIRE_VOID(model && q);
  static const double rounding = 1e-15;
  for (int j = 0; j < model->njoint; ++j) {
    const int offset = joint_rotation(model->joint_type[j]);
    if (offset < 0) continue;
    double* at = q + model->joint_q[j] + offset;
    const double off = at[0] * at[0] + at[1] * at[1] + at[2] * at[2] + at[3] * at[3] - 1;
    if (fabs(off) <= rounding) continue;  // a state that was taken from a world goes back unchanged
    write_quat(at, heft_quat_normalize(heft_quat_from(at)));
  }
}
