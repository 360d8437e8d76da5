// SPDX-License-Identifier: Apache-2.0
// Columns of a table by the names of a model (docs/manual/judge.md).
#ifndef HEFT_APPS_JUDGE_COLUMNS_H
#define HEFT_APPS_JUDGE_COLUMNS_H

#include <heft/model.h>

#include "sweep/csv.h"

/// Indices of columns, -1: there is none.
typedef struct Columns {
  int* q;         ///< nq
  int* v;         ///< nv
  int* actuator;  ///< nactuator
  int* push;      ///< nbody x 6
  int time;
  int has_base;       ///< 1: all coordinates of the floating base
  int has_v;          ///< 1: all velocities
  int has_actuators;  ///< 1: all forces of actuators
  int has_pushes;     ///< 1: at least one
  int is_log;         ///< 1: columns q0, q1.. and v0, v1.. of heft run; angular velocities as in v
} Columns;

/// Finds the columns. run: 1: velocities and forces, too; 0: coordinates only. A column without a
/// meaning is an error, unless the table is a log of heft run. file: for messages.
HeftStatus columns_map(Columns* out, const HeftModel* model, const Csv* table, int run,
                       const char* file, HeftError* error);
void columns_release(Columns* columns);
/// The joint of the floating base: the free joint whose tree has most dofs; -1: none.
int columns_base_joint(const HeftModel* model);

#endif
