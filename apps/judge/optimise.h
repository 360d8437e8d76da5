// SPDX-License-Identifier: Apache-2.0
// Searches for a motion that a robot can do: knots of joint angles between a first and a last pose,
// so that the judge (judge.h) finds nothing beyond its limits and torques as far from theirs as
// possible ([Chardonnet 2012], section 5.2).
#ifndef HEFT_APPS_JUDGE_OPTIMISE_H
#define HEFT_APPS_JUDGE_OPTIMISE_H

#include "judge/judge.h"

enum { OPTIMISE_KNOTS = 64, OPTIMISE_CHANNELS = 64 };

typedef struct OptimiseDef {
  JudgeDef judge;
  int rounds;     ///< of the search, at most
  double sample;  ///< time between rows that are judged [s]
  double margin;  ///< of the zero-moment point inside the contacts [m]
  double gap;     ///< between bar and robot [m]
} OptimiseDef;

/// Knots of a motion. A name is a joint's, or a pattern with one '*' for all joints that match.
typedef struct Knots {
  int count, channels;
  const char* name[OPTIMISE_CHANNELS];  ///< in the table that they were read from
  double time[OPTIMISE_KNOTS], value[OPTIMISE_KNOTS][OPTIMISE_CHANNELS];
} Knots;

OptimiseDef optimise_def_default(void);
/// Reads knots from a table with the column time and columns of joints. file: for messages.
HeftStatus knots_read(Knots* out, const HeftModel* model, const Csv* table, const char* file,
                      HeftError* error);
/// The motion along a smooth curve through the knots, as a table of rows for judge_trajectory().
/// stretch: factor of all times. Release it by csv_release().
HeftStatus knots_motion(Csv* out, const Knots* knots, const HeftModel* model, int rows,
                        double stretch, HeftError* error);
/// Rows at this time from each other, or closer.
int knots_rows(const Knots* knots, double sample);
/// Improves knots. The first and the last stay, with those that are equal to them.
HeftStatus optimise_knots(const HeftModel* model, Knots* knots, const OptimiseDef* def,
                          HeftError* error);

#endif
