// SPDX-License-Identifier: Apache-2.0
// Where two runs of one robot part: the first row and body, and the differences that came before.
#ifndef HEFT_APPS_JUDGE_DIVERGENCE_H
#define HEFT_APPS_JUDGE_DIVERGENCE_H

#include "judge/referee.h"

/// Differences that can part two runs: X(id, meaning).
#define DIVERGENCE_LIST(X)                                                \
  X(DIVERGENCE_START, "the runs start in other states")                   \
  X(DIVERGENCE_ACTUATOR, "the forces of an actuator differ")              \
  X(DIVERGENCE_PUSH, "the pushes on a body differ")                       \
  X(DIVERGENCE_TOUCH, "a contact carries force in one run only")          \
  X(DIVERGENCE_FORCE, "the force between two bodies differs by over 1 %") \
  X(DIVERGENCE_LAW, "one run breaks a law that the other keeps")

typedef enum DivergenceKind {
  DIVERGENCE_LIST(HEFT_ENUM_ENTRY) DIVERGENCE_KIND_COUNT
} DivergenceKind;

const char* divergence_meaning(DivergenceKind kind);

/// The first difference of a kind.
typedef struct DivergenceCause {
  int found;
  double time;
  int a, b;         ///< bodies, or an actuator and -1
  double value[2];  ///< in both runs [N, N m, m]; law: 1 in the run that breaks it
  RefereeKind law;
} DivergenceCause;

typedef struct DivergenceReport {
  int64_t rows;         ///< that both runs have
  int parted;           ///< 1: a body is farther apart than the tolerance
  int body;             ///< the one that is farthest apart in that row
  double time, before;  ///< of that row, and of the row before
  double distance;      ///< there [m]
  double onset;         ///< time of the first difference at all; NaN: none
  double onset_distance;
  int onset_body;
  double most, most_time;  ///< largest distance
  int most_body;
  DivergenceCause cause[DIVERGENCE_KIND_COUNT];
} DivergenceReport;

typedef struct Divergence Divergence;

/// The models have the same bodies and joints, and must outlive it.
HeftStatus divergence_create(Divergence** out, const HeftModel* const model[2], double tolerance,
                             HeftError* error);
void divergence_destroy(Divergence* divergence);
/// Two rows of the same time. 0: a row cannot be used, with error.
int divergence_rows(Divergence* divergence, const RefereeRow* const row[2], HeftError* error);
/// A row that only one run has, for the referee. 0: as above.
int divergence_row(Divergence* divergence, int run, const RefereeRow* row, HeftError* error);
const DivergenceReport* divergence_report(Divergence* divergence);

#endif
