// SPDX-License-Identifier: Apache-2.0
// Middle: the scheme of each tree, and the positions q_m at which a step is posed.
#ifndef HEFT_SRC_WORLD_MIDDLE_H
#define HEFT_SRC_WORLD_MIDDLE_H

#include "base/arena.h"
#include "world/constraints.h"

/// Filled by middle.c and const afterwards.
typedef struct Middle {
  int early;         ///< 1 if a tree has θ < 1, so that q_m differs from the start
  double* theta;     ///< nv: θ of its tree: 1 in contact, else the def's
  double* implicit;  ///< nv: hθ C + h²θ² K, on the diagonal of M̂
  double* q;         ///< nq: q_m
  double* lead;      ///< nv: shared scratch, (1 - θ) v
} Middle;

/// scratch (nv): free again when the middle was found.
void heft_middle_place(Middle* middle, Arena* arena, const HeftModel* model, double* scratch);
/// Chooses θ of every tree, moves the kinematics to q_m, and poses the constraints of islands of
/// second order there.
void heft_middle_find(Middle* middle, const StepInput* in, HeftDynamics* dynamics,
                      const Drives* drives, Constraints* constraints);

#endif
