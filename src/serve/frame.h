// SPDX-License-Identifier: Apache-2.0
// Inputs of users as they travel: one record for each hand and step, and blocks of steps.
#ifndef HEFT_SRC_SERVE_FRAME_H
#define HEFT_SRC_SERVE_FRAME_H

#include <heft/interact.h>

enum {
  FRAME_USERS = HEFT_SESSION_PROBES,
  FRAME_RING = 4096,  ///< steps that are kept, a power of two
  FRAME_RECORD = 56,  ///< bytes of an input
  FRAME_HEAD = 12,    ///< of a block
  FRAME_PROBE = 13    ///< numbers of a probe
};

#define FRAME_HERE 0x80000000u  ///< flag: the hand is present

/// The input of a probe in numbers that every machine reads alike: position, rotation (w, x, y, z),
/// velocity, angular velocity. All zero: no hand.
typedef struct FrameInput {
  float value[13];
  uint32_t flags;  ///< buttons, FRAME_HERE
} FrameInput;

/// The inputs of all users in a step.
typedef struct Frame {
  FrameInput user[FRAME_USERS];
} Frame;

/// Rounds an input. A hand with numbers that frame_read() would refuse is absent.
FrameInput frame_input(const HeftProbeInput* input);
/// The input of a step. Its time is 0: it differs from machine to machine.
static inline HeftProbeInput frame_probe(const FrameInput* in) {
  double v[13];
  for (int i = 0; i < 13; ++i) v[i] = (double)in->value[i];
  HeftProbeInput out = {.pos = {v[0], v[1], v[2]},
                        .rot = {v[3], v[4], v[5], v[6]},
                        .vel = {v[7], v[8], v[9]},
                        .spin = {v[10], v[11], v[12]},
                        .buttons = in->flags & ~FRAME_HERE,
                        .present = (in->flags & FRAME_HERE) != 0};
  if (!out.present) out.rot = heft_quat_identity();
  return out;
}

/// The probe that has these numbers (sharing.c), which may come from anyone.
static inline HeftProbeDef frame_probe_def(const double number[FRAME_PROBE]) {
  double x[FRAME_PROBE];
  for (int i = 0; i < FRAME_PROBE; ++i)
    x[i] = number[i] >= -1e9 && number[i] <= 1e9 ? number[i] : -1;
  HeftProbeDef p = heft_probe_def_default();
  p.mode = x[0] > 0 ? HEFT_PROBE_ATTACH : HEFT_PROBE_TOUCH;
  p.radius = x[1];
  p.stiffness = x[2];
  p.damping = x[3];
  p.rotational_stiffness = x[4];
  p.friction = x[5];
  p.force_max = x[6];
  p.torque_max = x[7];
  p.hold_button = (int)x[8];
  p.body = (int)x[9];
  p.point = heft_vec3_from(x + 10);
  return p;
}

/// Writes the steps from `first` on as a block: in each step, the inputs of users 0 to users - 1
/// that have changed. ring: FRAME_RING steps; step n is at ring[(n % FRAME_RING) * users]. Ends
/// before `room` is exceeded. Returns the size in bytes.
size_t frame_write(const FrameInput* ring, int users, uint64_t first, int count, unsigned char* out,
                   size_t room);
/// Reads a block, which may come from anyone. Returns the number of steps, at most FRAME_RING; -1:
/// it is damaged. out: as ring of frame_write(); after -1 it has any content.
int frame_read(const unsigned char* bytes, size_t size, int users, uint64_t* first,
               FrameInput* out);

#endif
