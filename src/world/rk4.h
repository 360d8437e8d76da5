// SPDX-License-Identifier: Apache-2.0
// The quantities of a step of the Runge-Kutta scheme.
#ifndef HEFT_SRC_WORLD_RK4_H
#define HEFT_SRC_WORLD_RK4_H

#include <heft/model.h>

#include "base/arena.h"

enum { RK4_STAGES = 4 };

typedef struct Rk4Scratch {
  double* q;                         ///< nq: positions of the stage
  double* displacement;              ///< nv: Θ of the stage
  double* velocity;                  ///< nv: velocities of the stage
  double* force;                     ///< nv: joint forces of the stage
  double* rate[RK4_STAGES];          ///< nv: Θ̇ of each stage
  double* acceleration[RK4_STAGES];  ///< nv: v̇ of each stage
} Rk4Scratch;

void heft_rk4_place(Rk4Scratch* rk4, Arena* arena, const HeftModel* model);

#endif
