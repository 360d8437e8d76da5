// SPDX-License-Identifier: Apache-2.0
// Inside of a world.
#ifndef HEFT_SRC_WORLD_INTERNAL_H
#define HEFT_SRC_WORLD_INTERNAL_H

#include <heft/world.h>

#include "base/assert.h"
#include "dynamics/links.h"
#include "dynamics/tree_momentum.h"
#include "world/actuators.h"
#include "world/budget.h"
#include "world/constraints.h"
#include "world/couplings.h"
#include "world/drives.h"
#include "world/lines.h"
#include "world/sensors.h"
#include "world/tendons.h"
#include "world/wires.h"

/// What a tree moves against its own centre of mass.
typedef struct Swirl {
  double mass;    ///< of the tree [kg]
  double u[3];    ///< velocity of the centre of mass, of trees that float [m/s]
  double energy;  ///< kinetic, without that of the centre of mass [J]
} Swirl;

struct HeftWorld {
  const HeftModel* model;
  HeftWorldDef def;  ///< time_step: that of a substep
  HeftDynamics* dynamics;
  Constraints* constraints;
  HeftState* state;   ///< now
  HeftState* before;  ///< at the start of the step, for rolling back
  Lines* lines;
  Actuators* actuators;
  Tendons* tendons;
  Wires* wires;
  Couplings* couplings;
  Drives* drives;
  Sensors* sensors;
  double* joint_force;       ///< nv: from outside
  const double* given;       ///< nv: in this step, from outside, actuators and tendons (drives.h)
  double* force;             ///< nv: scratch
  double* velocity;          ///< nv: scratch
  double* mean;              ///< nv: velocity at which the bias of the step was taken
  double* theta;             ///< nv: that of its tree: 1 in contact, else the def's
  double* extra;             ///< nv: hθ C + h²θ² K
  double* extra_stage;       ///< nv: Θ of a stage
  double* q_stage;           ///< nq
  double* rate[4];           ///< nv each: stages of Runge-Kutta, velocities
  double* push[4];           ///< nv each: accelerations
  TreeMomentum* momentum;    ///< nlink: at the present kinematics, by root
  Swirl* swirl;              ///< 2 nlink: before and after a step along the bias, by root
  HeftVec3* wanted_linear;   ///< nlink: momentum that the flocks should have after the step
  HeftVec3* wanted_angular;  ///< nlink
  HeftVec3* travel;      ///< nlink: way that their centres of mass should go, times their masses
  HeftVec3* com_before;  ///< nlink: where these were
  HeftVec3 *impulse, *spin;  ///< nlink: scratch, forces and moments from outside
  int* floating;             ///< roots of the trees that float freely
  int floating_count;
  int *flock, *flock_first;  ///< nlink, nlink + 1: those that nothing but each other holds in this
                             ///< step, flock by flock (momentum.c)
  int flock_count;
  double kinetic, potential;  ///< at the present state
  double rest_speed;          ///< slower is at rest [m/s, rad/s]
  Budget budget;
  double weight_speed;  ///< what gravity adds in a step: the measure of velocities [m/s]
  int fresh;            ///< 1 if dynamics and energies belong to the present state
  uint64_t model_hash;  ///< which model this is, for snapshots
  size_t memory_size;
};

/// Brings dynamics (kinematics, velocities) and energies up to the present state.
void heft_world_refresh(HeftWorld* world);
/// 1 if a state of this model is finite and its quaternions are within reach of unit length.
int heft_world_accepts(const HeftWorld* world, const HeftState* state);

/// The two ways to step: from world->state to the next one. Return HEFT_STEP_SOLVED or what went
/// wrong; write work and damping into the report. Neither corrects momentum.
HeftStepStatus heft_step_moreau(HeftWorld* world, HeftStepReport* report);
HeftStepStatus heft_step_rk4(HeftWorld* world, HeftStepReport* report);

/// Corrects the accelerations in world->force, so that the bias of trees in contact that spin fast
/// adds no energy. The kinematics are those of the bias.
void heft_spin_restrain(HeftWorld* world);

/// Momentum of trees that float, alone or together; constraints must have been grouped before.
/// begin() notes what they have; act() adds what acts from outside at
/// the present kinematics: force times `time` to the momentum, force times `lag` to the way of the
/// centre of mass; finish() corrects positions and velocities of the bases to the sums. The
/// kinematics are spent after it.
void heft_momentum_begin(HeftWorld* world);
void heft_momentum_act(HeftWorld* world, double time, double lag);
void heft_momentum_finish(HeftWorld* world);

#endif
