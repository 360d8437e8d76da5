// SPDX-License-Identifier: Apache-2.0
// What drives the joints during a step beside weight and contact: forces from outside, actuators,
// tendons. The two integrators see nothing but these few calls.
#ifndef HEFT_SRC_WORLD_DRIVES_H
#define HEFT_SRC_WORLD_DRIVES_H

#include <heft/world.h>

#include "dynamics/tendon.h"

typedef struct Drives {
  int bare;          ///< 1 if the model has neither actuators nor springs of tendons
  int idle;          ///< 1 if there are forces from outside alone in this step
  double* tau;       ///< nv
  double* extra;     ///< nv
  double* base;      ///< nv: what stands beside tau on the right-hand side, for repeating
  Stiffening* more;  ///< ntendon + nactuator, and those of couplings
  int more_count;
  size_t memory_size;
} Drives;

/// Lines, actuators, tendons and this.
HeftStatus heft_drives_create(HeftWorld* world, HeftError* error);
void heft_drives_destroy(HeftWorld* world);
/// Controls and what is remembered become zero.
void heft_drives_reset(HeftWorld* world);

/// At the start of a step. Returns 0 if a control is not finite.
int heft_drives_begin(HeftWorld* world);
/// After a step that went through: activations move on.
void heft_drives_end(HeftWorld* world);

// ---- for the theta scheme

/// Forces at q_stage and its kinematics, into world->given (nv).
void heft_drives_middle(HeftWorld* world);
/// Factors M + diag(world->extra) + what the drives add. As heft_dynamics_factor().
int heft_drives_factor(HeftWorld* world);
/// Notes the right-hand side (nv), of which world->given is a part.
void heft_drives_note(HeftWorld* world, const double* right);
/// Looks whether the velocity v after the step leaves the force limits as they were assumed. If
/// not, returns 1, with forces that have others.
int heft_drives_repeat(HeftWorld* world, const double* v, int pass);
/// The right-hand side (nv) with the forces as they are now.
void heft_drives_right(const HeftWorld* world, double* right);
/// What the drives did in the step that ends at v, with the mean velocity `middle`.
void heft_drives_finish(HeftWorld* world, const double* v, const double* middle,
                        HeftStepReport* report);

// ---- for Runge-Kutta

/// Forces of a stage at (q, v) and its kinematics, `time` after the start and with a weight of
/// `share`, into world->given. Adds to the powers of work and damping.
void heft_drives_stage(HeftWorld* world, const double* q, const double* v, double time,
                       double share, double* work, double* damping);

#endif
