// SPDX-License-Identifier: Apache-2.0
// Wires: tendons as constraints see them, one direction in the joint space of one tree each. A
// tendon between two trees has two.
#ifndef HEFT_SRC_WORLD_WIRES_H
#define HEFT_SRC_WORLD_WIRES_H

#include <heft/world.h>

/// One law along a direction: impulse between lower and upper, velocity + push as the law wants.
typedef struct WideRow {
  double sign, push, lower, upper, impulse;
} WideRow;

/// A tendon (or an equality of tendons) that ties more than two trees together.
typedef struct Wide {
  int line[2];   ///< tendons, the second may be -1
  int equality;  ///< or -1
  int row_count;
  WideRow row[3];
  double mobility;  ///< aᵀ M̂⁻¹ a
  double* arm;      ///< nv: a
  double* answer;   ///< nv: M̂⁻¹ a
} Wide;

typedef struct Wires {
  int count;
  HeftJointDirection* direction;  ///< count
  int* root;                      ///< count: root of its tree
  int* effector;                  ///< count: effector of the island in work, -1
  int* lane;                      ///< count: its place in that effector
  int* dof;
  double* arm;
  int (*part)[2];      ///< what each arm is made of: arms of lines, -1
  int (*tendon)[2];    ///< ntendon: wires of its limits and of its dry friction, -1
  int (*equality)[2];  ///< nequality: wires of a tendon equality, -1
  double* at_default;  ///< ntendon: lengths at q_default
  int wide_count;
  Wide* wide;
  size_t memory_size;
} Wires;

HeftStatus heft_wires_create(HeftWorld* world, HeftError* error);
void heft_wires_destroy(HeftWorld* world);
/// Adds the limits, dry friction and equalities of all tendons to the constraints of the step, at
/// the kinematics of the state.
void heft_wires_gather(HeftWorld* world);
/// Marks the trees that wide tendons tie together in this step: active[root] becomes 1.
void heft_wires_mark(const HeftWorld* world, int* active);
/// Lets the wide tendons act on the joint velocities v, before all other constraints. Needs the
/// factor of the mass matrix.
void heft_wires_sweep(HeftWorld* world, double* v);

#endif
