// SPDX-License-Identifier: Apache-2.0
// How a simulated motion changes with the parameters of a fit.
#ifndef HEFT_SRC_IDENTIFY_SENSITIVITY_H
#define HEFT_SRC_IDENTIFY_SENSITIVITY_H

#include <heft/world.h>

#include "identify/identify.h"

enum { SENSITIVITY_DOFS = 6 };  // a joint has at most so many

typedef struct Sensitivity {
  const HeftModel* model;
  int count, states;  ///< columns of the fit; the last 2 nv or 0 are the start
  int listed;         ///< parameters of a step
  HeftStepParameter list[SENSITIVITY_DOFS * HEFT_FIT_MAX];  ///< listed
  int column[SENSITIVITY_DOFS * HEFT_FIT_MAX];              ///< listed: the column of each
  int offset[HEFT_FIT_MAX];         ///< the value of a sensor that a column shifts, -1: none
  double *now, *next;               ///< 2 nv x count: of (q, v)
  double* before;                   ///< nv x count: of v before the last step
  double *step, *by, *end, *start;  ///< of the last step and its sensors
  void* memory;
  size_t size;
} Sensitivity;

/// By what a step is differentiated for a parameter; HEFT_STEP_PARAMETER_COUNT: by nothing.
HeftStepParameterKind heft_parameter_step(HeftParameter parameter);
/// False: only differences show how a motion changes with it.
bool heft_parameter_has_derivative(HeftParameter parameter);
/// Its largest value.
double heft_parameter_most(HeftParameter parameter);
/// states: columns beyond the parameters, of the start's positions and then velocities: 0 or 2 nv.
/// The model, whose parameters may change, must live as long.
HeftStatus heft_sensitivity_create(Sensitivity* out, const HeftModel* model,
                                   const HeftParameter* parameter, int count, int states,
                                   HeftError* error);
void heft_sensitivity_destroy(Sensitivity* x);
/// At the start. x: values of the columns; q: coordinates that positions of the start shift.
void heft_sensitivity_begin(Sensitivity* s, const double* x, const double* q);
/// After a step. HEFT_ERR_UNSUPPORTED: it has no exact derivative.
HeftStatus heft_sensitivity_step(Sensitivity* s, HeftWorld* world, HeftError* error);
/// After heft_sensitivity_step(): the sensors, for heft_sensitivity_of().
HeftStatus heft_sensitivity_sense(Sensitivity* s, HeftWorld* world, HeftError* error);
/// Derivative of a value of the sensors by a column; NaN: it has none.
double heft_sensitivity_of(const Sensitivity* s, int value, int column);

#endif
