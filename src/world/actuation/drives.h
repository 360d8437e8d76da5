// SPDX-License-Identifier: Apache-2.0
// Drives: all forces at the joints beside weight and contact. These are joint forces from outside,
// actuators, tendons and couplings. The two integrators call these functions only.
#ifndef HEFT_SRC_WORLD_ACTUATION_DRIVES_H
#define HEFT_SRC_WORLD_ACTUATION_DRIVES_H

#include <heft/world.h>

#include "dynamics/fluid.h"
#include "dynamics/tendon.h"
#include "world/actuation/actuators.h"
#include "world/actuation/couplings.h"
#include "world/actuation/tendon_constraints.h"
#include "world/actuation/tendons.h"
#include "world/actuation/transmissions.h"

typedef struct Drives {
  Block block;
  const HeftModel* model;
  Transmissions* transmissions;
  Actuators* actuators;
  Tendons* tendons;
  TendonConstraints* tendon_constraints;
  Couplings* couplings;
  const double* force;  ///< nv: joint forces of this step, from outside, actuators, tendons,
                        ///< couplings and the fluid [N, N m]
  int bare;             ///< 1 if the model has no actuators, springs of tendons and fluid
  int idle;             ///< 1 if there are only forces from outside in this step
  double* tau;          ///< nv
  double* extra;        ///< nv: implicit terms on the diagonal
  double* base;         ///< nv: right-hand side less tau, for repeating the step
  Stiffening* more;     ///< ntendon + nactuator, and those for couplings and the fluid
  int fluid_count;      ///< bodies on which the fluid acts
  int more_count;
} Drives;

/// Creates all of them. The kinematics must be at q_default, and stay so. On failure *out holds
/// what was created.
HeftStatus heft_drives_create(Drives** out, const HeftModel* model, HeftDynamics* dynamics,
                              const HeftAllocator* allocator, HeftError* error);
void heft_drives_destroy(Drives* drives, const HeftAllocator* allocator);
/// Controls and saturations become zero; couplings are dropped.
void heft_drives_reset(Drives* drives);

/// At the start of a step. Returns 0 if a control is not finite.
int heft_drives_begin(Drives* drives, const StepInput* in);
/// Writes the activations after the step into act (nact).
void heft_drives_end(const Drives* drives, double* act);

// ---- for the theta scheme

/// Forces at q and its kinematics, into drives->force. theta: nv.
void heft_drives_middle(Drives* drives, const StepInput* in, HeftDynamics* dynamics,
                        const double* q, const double* theta);
/// Forces with the resistance of the fluid at the velocity v (nv), predicted for the middle of the
/// step, into drives->force. Returns 1 if M̂ must be factored again.
int heft_drives_look_ahead(Drives* drives, const StepInput* in, HeftDynamics* dynamics,
                           const double* theta, const double* v);
/// Factors M + diag(extra) + the implicit terms of the drives. Returns 0 on success.
int heft_drives_factor(Drives* drives, HeftDynamics* dynamics, const double* extra);
/// out += (diag(extra) + the implicit terms) x, as they were factored.
void heft_drives_resist(const Drives* drives, const double* extra, const double* x, double* out);
/// Stores the right-hand side (nv), of which drives->force is a part, for heft_drives_right().
void heft_drives_note(Drives* drives, const double* right);
/// Compares the force limits at the velocity v after the step with those assumed. If they differ,
/// computes the forces again and returns 1.
int heft_drives_repeat(Drives* drives, const StepInput* in, HeftDynamics* dynamics,
                       const double* theta, const double* v, int pass);
/// 1 if the force limits at the velocity v after the step are those assumed; only_more: if no force
/// exceeds a limit.
int heft_drives_settled(const Drives* drives, const StepInput* in, const double* v, int only_more);
/// 1 if a force limit of an actuator holds.
int heft_drives_limited(const Drives* drives);
/// The right-hand side (nv) with the present forces.
void heft_drives_right(const Drives* drives, double* right);
/// 1 if heft_drives_finish() needs the kinematics of q_m, to note wrenches where they acted.
int heft_drives_note_wrenches(const Drives* drives, const Sensors* sensors);
/// Forces of the step that ends at v; adds their work and damping at the mean velocity to the
/// report.
void heft_drives_finish(Drives* drives, const StepInput* in, const HeftDynamics* dynamics,
                        Sensors* sensors, const double* v, const double* v_mean,
                        HeftStepReport* report);

// ---- for Runge-Kutta

/// Forces of a stage at (q, v) and its kinematics, `time` after the start and with a weight of
/// `share`, into drives->force. Adds to the powers of work and damping.
void heft_drives_stage(Drives* drives, const StepInput* in, HeftDynamics* dynamics,
                       Sensors* sensors, const double* q, const double* v, double time,
                       double share, double* work, double* damping);

#endif
