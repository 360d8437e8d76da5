// SPDX-License-Identifier: Apache-2.0
// The quantities of a step of the theta scheme.
#ifndef HEFT_SRC_WORLD_MOREAU_H
#define HEFT_SRC_WORLD_MOREAU_H

#include <heft/model.h>

#include "base/arena.h"

typedef struct MoreauScratch {
  double* theta;         ///< nv: θ of its tree: 1 in contact, else the def's
  double* implicit;      ///< nv: hθ C + h²θ² K, on the diagonal of M̂
  double* q_middle;      ///< nq: q_m
  double* v_middle;      ///< nv: predicted velocity in the middle of the step; in the end the mean
                         ///< velocity while impulses act
  double* v_bias;        ///< nv: v̄, the velocity at which the bias was evaluated
  double* bias_force;    ///< nv: b(q_m, v̄)
  double* acceleration;  ///< nv: (v⁺ - v) / h without constraints; before that the right-hand side
  double* external_force;  ///< nv: joint forces and wrenches from outside
  double* v_correction;    ///< nv: moves positions alone; before that, their motion beyond the mean
  double* v_mean;          ///< nv: mean velocity of the step
  double* v_position;      ///< nv: velocity by which positions move, times h
} MoreauScratch;

void heft_moreau_place(MoreauScratch* moreau, Arena* arena, const HeftModel* model);

#endif
