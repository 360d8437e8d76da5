// SPDX-License-Identifier: Apache-2.0
// Inside of a world: the memory of every stage of a step. Only the functions that
// tools/call_knots.py
// lists take the whole world; all others take the stage that they read or fill.
#ifndef HEFT_SRC_WORLD_INTERNAL_H
#define HEFT_SRC_WORLD_INTERNAL_H

#include <heft/world.h>

#include "base/assert.h"
#include "world/actuation/drives.h"
#include "world/budget.h"
#include "world/judge.h"
#include "world/keepers.h"
#include "world/ledger.h"
#include "world/middle.h"
#include "world/motion.h"
#include "world/moved.h"
#include "world/parameters.h"
#include "world/prediction.h"
#include "world/rest.h"
#include "world/rk4.h"
#include "world/sensors.h"
#include "world/step_input.h"

/// Counts the memory that a world gets from the allocator of its def.
typedef struct Memory {
  HeftAllocator outer;  ///< of the def
  size_t size;          ///< of everything that is taken at present [bytes]
} Memory;

/// Whether the dynamics has the kinematics and the velocities of the present state (posed), and the
/// world its energies, too (fresh).
typedef enum StateUse { STATE_STALE = 0, STATE_POSED, STATE_FRESH } StateUse;

struct HeftWorld {
  Block block;
  Memory memory;
  Parameters parameters;
  const HeftModel* model;  ///< the model as this world sees it: parameters.view
  HeftWorldDef def;        ///< time_step: of a substep; allocator: one that counts into `memory`
  double step_length;      ///< of a whole step, as the def or the model gives it [s]
  StepInput input;
  HeftDynamics* dynamics;
  HeftState* state;   ///< now
  HeftState* before;  ///< at the start of the substep: StepInput::start, and for rolling back
  Drives* drives;
  Sensors* sensors;
  Constraints* constraints;
  Keepers keepers;
  Middle middle;
  Prediction prediction;
  Motion motion;
  Ledger ledger;
  StepOutput output;
  Rk4Scratch rk4;
  Budget budget;
  HeftControlCallback* control;  ///< called before each substep, or NULL
  void* control_user;
  void** body_data;           ///< nbody: of the user
  void** shape_data;          ///< nshape: of the user
  double* joint_force;        ///< nv: from outside
  HeftMovedCommand* moved;    ///< nmoved: motions that the program prescribes
  double* moved_before;       ///< 6 nmoved: their velocities before the substep
  double kinetic, potential;  ///< at the present state [J]
  StateUse fresh;        ///< how far dynamics and energies belong to the present state. Functions
                         ///< that change the state call heft_world_refresh() before they return
  int has_step;          ///< 1 if the stages are those of the step that led to the present state
  unsigned last_flags;   ///< HeftDerivativeFlag of the last step that its stages do not show
  uint64_t source_hash;  ///< of the shared model
  uint64_t model_hash;   ///< identifies model, parameters, law and detector of a snapshot
};

/// Computes kinematics and velocities of the present state, unless the dynamics has them.
void heft_world_pose(HeftWorld* world);
/// Computes dynamics (kinematics, velocities) and energies at the present state, unless they belong
/// to it already.
void heft_world_refresh(HeftWorld* world);
/// 1 if all numbers of a state are within HEFT_SPEED_MAX and HEFT_PLACE_MAX; 0 if one is NaN.
int heft_state_in_range(const HeftState* state);
/// heft_state_in_range() for positions only.
int heft_state_places_in_range(const HeftState* state);
/// 1 if a state of this model is finite, in range, and its quaternions can be normalised.
int heft_state_acceptable(const HeftModel* model, const HeftState* state);

/// Computes model_hash again.
void heft_world_identify(HeftWorld* world);
/// Computes everything that is derived from the parameters again. To be called after a change.
void heft_world_parameters_changed(HeftWorld* world);

/// The two integrators: from world->before to world->state. Return HEFT_STEP_SOLVED or why the step
/// is rejected; add work and damping to the report. Neither corrects momentum. That of Moreau
/// returns HEFT_STEP_SHORTENED, with report->parts > 1, if the step must be divided into so many.
HeftStepStatus heft_step_moreau(HeftWorld* world, HeftStepReport* report);
/// Stores the results of the last heft_step_moreau(), which is taken: a step may be tried again.
void heft_step_moreau_take(HeftWorld* world, HeftStepReport* report);
HeftStepStatus heft_step_rk4(HeftWorld* world, HeftStepReport* report);

#endif
