// SPDX-License-Identifier: Apache-2.0
// Moved bodies: their commands, and their motion during a step.
//
// During a substep h a moved body has one velocity, ω and v of its origin. Its pose moves by
//     p⁺ = p + h v,   R⁺ = exp(h ω) R,
// so that a target (p_t, R_t) at the end of the time T is reached by
//     v = (p_t - p) / T,   ω = log(R_t Rᵀ) / T.
// The pose of the start of the substep is the one that collision sees, and the velocity is the one
// that the constraints see (surface.c): both belong to the same motion.
#include "world/moved.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "world/world_internal.h"

enum { POSE = 7, STATE = 13 };

static void write_quat(double* out, HeftQuat q) {
  out[0] = q.w;
  out[1] = q.x;
  out[2] = q.y;
  out[3] = q.z;
}

static void write_vec(double* out, HeftVec3 v) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

static int all_finite(const double* x, int count) {
  for (int i = 0; i < count; ++i) {
    if (!isfinite(x[i])) return 0;
  }
  return 1;
}

// Of unit length, to the bit if the target has it.
static HeftQuat target_quat(const HeftMovedCommand* command) {
  const HeftQuat q = heft_quat_from(command->target + 3);
  const double excess = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1;
  return fabs(excess) <= 4e-15 ? q : heft_quat_normalize(q);
}

// ---- motion

void heft_moved_reset(HeftMovedCommand* commands, const HeftModel* m) {
  for (int i = 0; i < m->nmoved; ++i) {
    commands[i] = (HeftMovedCommand){.arrives = 0};
    memcpy(commands[i].velocity, m->moved_velocity + 6L * i, sizeof commands[i].velocity);
  }
}

int heft_moved_begin(const HeftMovedCommand* commands, double left, HeftState* state,
                     double* before) {
  if (!all_finite((const double*)commands, MOVED_NUMBERS * state->nmoved)) return 0;
  for (int i = 0; i < state->nmoved; ++i) {
    const HeftMovedCommand* command = &commands[i];
    double* x = state->moved + (long)STATE * i;
    memcpy(before + 6L * i, x + POSE, 6 * sizeof(double));
    if (command->arrives == 0) {
      memcpy(x + POSE, command->velocity, sizeof command->velocity);
      continue;
    }
    HEFT_ASSERT(left > 0);
    const HeftQuat turn =
        heft_quat_mul(target_quat(command), heft_quat_conjugate(heft_quat_from(x + 3)));
    const HeftVec3 way = heft_vec3_sub(heft_vec3_from(command->target), heft_vec3_from(x));
    write_vec(x + POSE, heft_vec3_scale(1 / left, heft_quat_log(turn)));
    write_vec(x + POSE + 3, heft_vec3_scale(1 / left, way));
  }
  return 1;
}

void heft_moved_advance(const HeftMovedCommand* commands, double h, int last, HeftState* state) {
  for (int i = 0; i < state->nmoved; ++i) {
    const HeftMovedCommand* command = &commands[i];
    double* x = state->moved + (long)STATE * i;
    if (command->arrives != 0 && last) {
      memcpy(x, command->target, 3 * sizeof(double));
      write_quat(x + 3, target_quat(command));
      continue;
    }
    const HeftVec3 turn = heft_vec3_scale(h, heft_vec3_from(x + POSE));
    for (int k = 0; k < 3; ++k) x[k] += h * x[POSE + 3 + k];
    if (turn.x == 0 && turn.y == 0 && turn.z == 0) continue;
    write_quat(x + 3,
               heft_quat_normalize(heft_quat_mul(heft_quat_exp(turn), heft_quat_from(x + 3))));
  }
}

void heft_moved_end(HeftMovedCommand* commands, int count) {
  for (int i = 0; i < count; ++i) {
    if (commands[i].arrives != 0) commands[i] = (HeftMovedCommand){.arrives = 0};
  }
}

int heft_moved_sound(const HeftState* state) {
  for (int i = 0; i < state->nmoved; ++i) {
    const double* x = state->moved + (long)STATE * i + 3;
    const double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
    if (!(square > 0.25 && square < 4)) return 0;
  }
  return 1;
}

void heft_moved_normalize(HeftState* state) {
  for (int i = 0; i < state->nmoved; ++i) {
    double* x = state->moved + (long)STATE * i + 3;
    write_quat(x, heft_quat_normalize(heft_quat_from(x)));
  }
}

HeftPrescribedMotion heft_world_prescribed_motion(HeftWorld* w) {
  HEFT_REQUIRE(w, ((HeftPrescribedMotion){0}));
  return (HeftPrescribedMotion){.body = w->moved, .conveyor = w->state->conveyor};
}
