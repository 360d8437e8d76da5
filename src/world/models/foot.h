// SPDX-License-Identifier: Apache-2.0
// The models `foot_exact` and `foot_onestep`: contact by selection of constraints for polygonal
// feet ([Moraud 2008]; docs/theory/feet.md).
//
// A foot is the set of all contact points between two bodies on one plane: a polygon. It stands on
// no point, a vertex, an edge or its sole; each of these is a set of constraints on the six
// velocities of the foot (Table I there). foot.c finds the feet, foot_trial.c solves one choice of
// constraints for all feet of an island and judges it by rules, foot_forces.c distributes its
// forces to the points, foot_choice.c chooses: by search, or in one step.
#ifndef HEFT_SRC_WORLD_FOOT_H
#define HEFT_SRC_WORLD_FOOT_H

#include "world/models/contact_model.h"

enum { FEET_MAX = 12, VERTICES_MAX = 32, FOOT_ROWS = 6 };

/// Rows of a foot: velocity along n, t1, t2 at its origin, rotation about n, t1, t2; their impulses
/// are force and torque.
typedef struct Foot {
  int first, count;  ///< its contact points among the contacts
  HeftVec3 origin, normal, tangent1, tangent2;
  int vertices;                     ///< of the polygon
  int contact_point[VERTICES_MAX];  ///< the contact of each vertex, around the polygon
  double (*place)[3];               ///< count: of each point along n, t1, t2 from the origin
  double mu_static, mu_kinetic;
  double speed;  ///< of its origin along the plane at the start of the step
  int effector[2];
  double jacobian[FOOT_ROWS][12];
  double free[FOOT_ROWS];  ///< velocities without its own impulses
  int before;              ///< its code in the last step, see below
} Foot;

/// The result of a trial for one foot.
typedef struct Stand {
  int slips;
  double wrench[FOOT_ROWS];   ///< impulses
  double center[2];           ///< of pressure, along t1 and t2
  double load[VERTICES_MAX];  ///< normal impulse of each vertex, by least squares
  unsigned wrong_center, wrong_place, wrong_pull, wrong_motion;  ///< vertices that break a rule
  unsigned above;   ///< bits of wrong_motion whose vertices end the step above the floor
  unsigned may_go;  ///< vertices that may be released, by force or place
  int keeps;        ///< 1: the centre of pressure is inside the clamped vertices
} Stand;

/// A choice of constraints: one code per foot. Codes of a foot of N vertices: 0 none; 1 + i vertex
/// i; 1 + N + i the edge from vertex i to the next; 1 + 2 N the sole.
typedef struct Trial {
  int code[FEET_MAX];
  int score[5];  ///< rules broken: centre of pressure, place, pull, motion; and vertices clamped
  unsigned gone[FEET_MAX];  ///< vertices that rules have released before this trial
  Stand stand[FEET_MAX];
} Trial;

typedef struct Feet {
  int count;
  Foot foot[FEET_MAX];
  double* mobility;   ///< (6 count)²: velocities of the rows of feet by unit impulses on them
  double* equations;  ///< scratch of a trial
  double (*places)[3];
  Trial* trials;  ///< candidates + 1
  int* queue;     ///< the same: trials from which no others were made yet, as a heap
  int* table;     ///< table_size, a power of two: 1 + the trial of each choice, or 0
  int table_size;
} Feet;

/// The number of codes of a foot, and the vertices that a code clamps, as bits.
int heft_foot_codes(const Foot* foot);
unsigned heft_foot_clamped(const Foot* foot, int code);
/// The code whose vertices differ least from those wanted; weight (vertices): of each, or NULL.
int heft_foot_nearest(const Foot* foot, unsigned wanted, const double* weight);

size_t heft_feet_scratch(int constraint_capacity, const HeftContactOptions* options);
/// Finds the feet of an island. Returns 0 if there are too many.
int heft_feet_find(const ModelTask* task, Feet* feet);
/// Their velocities without their own impulses, from the effectors' (task->scratch->twist).
void heft_feet_measure(const ModelTask* task, Feet* feet);

/// Solves and judges trial->code. from: the trial that it was made from, or NULL for the code of
/// the last step.
void heft_feet_try(const ModelTask* task, Feet* feet, Trial* trial, const Trial* from);
/// Impulses of the contact points of all feet, and their stored numbers: next (count) are the codes
/// with which the next step begins.
void heft_feet_share(const ModelTask* task, const Feet* feet, const Trial* trial, const int* next);

#endif
