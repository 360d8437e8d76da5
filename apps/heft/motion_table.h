// SPDX-License-Identifier: Apache-2.0
// Prints the results of `heft bench motion`: as a table to read, as CSV or Markdown. Rows of JSON
// are written too (json_rows.h).
#ifndef HEFT_APPS_MOTION_TABLE_H
#define HEFT_APPS_MOTION_TABLE_H

#include "motion_steps.h"

typedef enum MotionFormat { MOTION_TEXT, MOTION_CSV, MOTION_MARKDOWN } MotionFormat;

typedef struct MotionTable {
  MotionFormat format;
  const char* peer;    ///< name of the other engine, with its version
  double deadline_us;  ///< 0: none
  int worlds;          ///< of rollouts; 0: steps are timed
  int threads;         ///< that are compared with one; 0: none
  int ends;            ///< 1: Markdown has overlap and speed in the end: no case is a robot
  int rows;            ///< printed so far
  // sums over the cases of both engines, for the last lines
  int compared, faster_mean, faster_p99, faster_longest;
  long steps, inexact, rough;
} MotionTable;

void motion_table_begin(const MotionTable* table);
/// One case. peer may be NULL, or have a reason.
void motion_table_row(MotionTable* table, const char* name, const MotionSteps* heft,
                      const MotionSteps* peer);
/// Mean times of a step [µs] of Heft and of its peer (0: none): in one world, and in turn in many.
void motion_table_worlds(MotionTable* table, const char* name, double us[2][2]);
/// Times of a step with one thread and with several.
void motion_table_threads(MotionTable* table, const char* name, const MotionThreads* result);
void motion_table_skip(MotionTable* table, const char* name, const char* reason);
void motion_table_end(const MotionTable* table);

#endif
