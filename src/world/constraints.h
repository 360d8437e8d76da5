// SPDX-License-Identifier: Apache-2.0
// The constraints of a substep, from contact points to joint velocities. This header holds the
// memory of all stages:
//
//   StepInput ─▶ ConstraintSet ─▶ IslandSet ─▶ IslandProblem ─▶ IslandSolution ─▶ HeftStepReport
//                  constraint_rows.c  island.c    island_problem.c  island_solve.c
#ifndef HEFT_SRC_WORLD_CONSTRAINTS_H
#define HEFT_SRC_WORLD_CONSTRAINTS_H

#include <limits.h>

#include "base/pool.h"
#include "collision/motion.h"
#include "world/actuation/drives.h"
#include "world/block.h"
#include "world/budget.h"
#include "world/constraint_set.h"
#include "world/constraint_sizes.h"
#include "world/impacts.h"
#include "world/island.h"
#include "world/lasting.h"
#include "world/midpoint.h"
#include "world/momentum.h"
#include "world/restitution.h"
#include "world/warm_start.h"

typedef struct ContactModel ContactModel;  ///< contact_model.h
typedef struct ModelScratch ModelScratch;  ///< contact_model.h

/// Islands of so many constraints are so large that all threads solve one of them together, colour
/// by colour.
enum { LARGE_ISLAND = 1024, WIDE_TREE = 48 };

/// The data of one thread.
typedef struct Worker {
  HeftContactSolver* solver;
  double* scratch;      ///< of the Delassus operator, and of the certificate
  ModelScratch* model;  ///< of the contact model; NULL: it needs none
} Worker;

/// The solvers and threads that share the islands of a step.
typedef struct Solvers {
  HeftPool* pool;   ///< NULL: one thread
  int sharing;      ///< 1 while the threads share islands
  Worker* workers;  ///< one per thread
  int worker_count;
  ConstraintSizes
      share;  ///< of the largest island that is not LARGE_ISLAND: of all workers but the first
  size_t share_bytes;                     ///< of a solver for it
  size_t scratch_max, share_scratch_max;  ///< doubles of Worker::scratch: of the first, of others
} Solvers;

/// The position correction (correction.c): a constraint set of its own, and its solution.
typedef struct Correction {
  ConstraintSet set;
  int* waiting;                ///< constraints that it leaves out
  double *velocity, *impulse;  ///< rows; velocity: first of the motion without the correction
  double* error;               ///< constraints after the contact points: error of an equality after
                               ///< the step, as foreseen before the correction
} Correction;

/// Filled by passage.c.
typedef struct Passage {
  int slow;              ///< 1 if nothing moves so far that it must be swept, as predicted
  StepMotion* motion;    ///< nlink: as predicted at the start of the step
  StepMotion* expected;  ///< nlink: the same without weight, for area contact; NULL: there is none
  int stopped;           ///< 1 if trees moved by a share of the step
  int any_impact;        ///< 1 if an island has a time of impact
  double* time;          ///< nlink: of each island, share of the step before its first impact
  double* stop;          ///< nlink: scratch, time at which a link is stopped
  double* share;     ///< nlink: if `stopped`, share of the step by which the tree of a root moves
  double* distance;  ///< nv: scratch, the motion of the whole step
  double* scaled;    ///< nv: scratch, the motion that is left
} Passage;

/// The effect of the constraints on a tree in a step; it decides the mean velocity (motion.c).
typedef enum ContactRegime {
  REGIME_LOOSE,      ///< no constraint acts on it, or it bounces
  REGIME_SUSTAINED,  ///< constraints act on it, and nothing bounces
  REGIME_FLIGHT      ///< loose, and only other trees in flight touch it
} ContactRegime;

struct Constraints {
  Block block;
  const HeftModel* model;
  const HeftDynamics* dynamics;  ///< of the world: the motion after a step, for its contacts
  HeftCollider* collider;
  const ContactModel* contact_model;     ///< NULL: the exact one
  double (*model_memory)[MODEL_MEMORY];  ///< contact points: numbers of the contact model
  double* start_velocity;  ///< rows: velocities at the start of the step; for contact models
  ConstraintSizes sizes;   ///< what a step can need at most
  WarmStart warm_start;
  ConstraintSet set;
  IslandSet islands;
  Midpoint midpoint;
  Lasting lasting;
  ImpactRound round;
  Restitution restitution;
  IslandProblem problem;
  IslandSolution solution;
  Correction correction;
  SleepCache* sleep_cache;  ///< nlink
  Solvers solvers;
  int* row_first;         ///< ranges of contact points: their first row
  int* regime;            ///< nlink: ContactRegime of every tree, at its root
  Passage passage;        ///< motion of fast links within the step (passage.c)
  double* round_impulse;  ///< rows: impulses of one round of impacts
  double* free_velocity;  ///< rows: velocities before the impulses of a round
  double (*wrench)[8];    ///< nlink: scratch, impulses on a link: torque and force, padded
  double* joint_impulse;  ///< nv: scratch
};

/// Room for contact points, and for pairs of shapes whose boxes meet.
typedef struct ContactRoom {
  int points, pairs;
} ContactRoom;

enum { ROOM_MAX = INT_MAX / 16 };  ///< so that rows of contact points are counted by an int

/// room: NULL: as much as the def states, or as the model needs at q_default.
HeftStatus heft_constraints_create(Constraints** out, const HeftModel* model,
                                   const HeftWorldDef* def, const ContactRoom* room,
                                   HeftDynamics* dynamics, const TendonConstraints* tendons,
                                   HeftError* error);
ContactRoom heft_constraints_room(const Constraints* constraints);
void heft_constraints_destroy(Constraints* constraints, const HeftAllocator* allocator);
/// Forgets the contact points and the impulses of the last step.
void heft_constraints_forget(Constraints* constraints);

/// Fills the constraint set with everything that may become active during a step from the start
/// state, at its kinematics and velocities (constraint_rows.c).
const ConstraintSet* heft_constraints_gather(Constraints* constraints, const StepInput* in,
                                             HeftDynamics* dynamics, Drives* drives);
/// Turns the rows of constraints with `middle` that are no contact points to the positions q and
/// their kinematics (constraint_rows.c).
void heft_constraints_turn(ConstraintSet* set, const StepInput* in, const HeftDynamics* dynamics,
                           const Drives* drives, const double* q);
/// Errors of equalities between bodies and joints at the positions q and their kinematics, into
/// their places of out (constraints after the contact points) (constraint_rows.c).
void heft_constraints_foresee(const ConstraintSet* set, const StepInput* in,
                              const HeftDynamics* dynamics, const double* q, double* out);
/// Solves for the impulses and applies them to the joint velocities v (nv, the free velocity on
/// entry). Needs the factor of the mass matrix and the kinematics of q_m: for trees of first order
/// they are unchanged since heft_constraints_gather().
void heft_constraints_solve(Constraints* constraints, const StepInput* in, HeftDynamics* dynamics,
                            Budget* budget, double* v, HeftStepReport* report);
/// The impulses found so far become the warm ones, because the same constraints are solved once
/// more. Returns 0 if they cannot: impacts in rounds have no impulses to start from.
int heft_constraints_continue(Constraints* constraints);
/// v += M̂⁻¹ Jᵀ impulse.
void heft_constraints_apply(Constraints* constraints, const ConstraintSet* set,
                            HeftDynamics* dynamics, const double* impulse, double* v);
/// Jᵀ of the impulses of the step (nv); NULL if they came in several rounds.
const double* heft_constraints_joint_impulse(const Constraints* constraints);
/// Finds the regime of every tree. Needs the floating groups of this step.
void heft_constraints_find_regime(Constraints* constraints, const FloatingGroups* groups);
/// The motion of the positions before the correction: from q_m by v_position.
typedef struct PositionStep {
  const double *q_middle, *v_position;
  double* q;  ///< nq: scratch
} PositionStep;

/// The velocity (nv) by which only positions move during the step, so that penetrations and errors
/// of equalities shrink (correction.c).
void heft_constraints_correct(Constraints* constraints, const StepInput* in, HeftDynamics* dynamics,
                              Budget* budget, const PositionStep* step, double* v_correction,
                              HeftStepReport* report);

/// Solves all islands as requested (island_solve.c). The solver of each stops by `stop` and by the
/// budget of the stage.
void heft_islands_solve(Constraints* constraints, const StepInput* in, HeftDynamics* dynamics,
                        Budget* budget, const SolveRequest* request,
                        const HeftContactTermination* stop, BudgetStage stage);
/// Adds the certificates of the islands `again` to the report.
void heft_islands_report(const IslandSet* islands, const ConstraintSet* set,
                         const IslandSolution* solution, const int* again, const StepInput* in,
                         HeftStepReport* report);

#endif
