// SPDX-License-Identifier: Apache-2.0
// Wires: tendons as constraints see them, one direction in the joint space of one tree each. A
// tendon between two trees has two.
#ifndef HEFT_SRC_WORLD_WIRES_H
#define HEFT_SRC_WORLD_WIRES_H

#include <heft/world.h>

typedef struct Wires {
  int count;
  HeftDirection* direction;  ///< count
  int* root;                 ///< count: root of its tree
  int* mover;                ///< count: mover of the island in work, -1
  int* lane;                 ///< count: its place in that mover
  int* dof;
  double* arm;
  int (*part)[2];      ///< what each arm is made of: arms of lines, -1
  int (*tendon)[2];    ///< ntendon: wires of its limits and of its dry friction, -1
  int (*equality)[2];  ///< nequality: wires of a tendon equality, -1
  double* at_default;  ///< ntendon: lengths at q_default
  size_t memory_size;
} Wires;

/// Refuses a constraint on a tendon that ties more than two trees together.
HeftStatus heft_wires_create(HeftWorld* world, HeftError* error);
void heft_wires_destroy(HeftWorld* world);
/// Adds the limits, dry friction and equalities of all tendons to the constraints of the step, at
/// the kinematics of the state.
void heft_wires_gather(HeftWorld* world);

#endif
