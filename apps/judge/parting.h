// SPDX-License-Identifier: Apache-2.0
// Where two runs of one robot part: the first row and body, and the differences that came before.
#ifndef HEFT_APPS_JUDGE_PARTING_H
#define HEFT_APPS_JUDGE_PARTING_H

#include "judge/referee.h"

/// Differences that can part two runs: X(id, meaning).
#define PARTING_LIST(X)                                                \
  X(PARTING_START, "the runs start in other states")                   \
  X(PARTING_ACTUATOR, "the forces of an actuator differ")              \
  X(PARTING_PUSH, "the pushes on a body differ")                       \
  X(PARTING_TOUCH, "a contact carries force in one run only")          \
  X(PARTING_FORCE, "the force between two bodies differs by over 1 %") \
  X(PARTING_LAW, "one run breaks a law that the other keeps")

typedef enum PartingKind { PARTING_LIST(HEFT_ENUM_ENTRY) PARTING_KIND_COUNT } PartingKind;

const char* parting_meaning(PartingKind kind);

/// The first difference of a kind.
typedef struct PartingCause {
  int found;
  double time;
  int a, b;         ///< bodies, or an actuator and -1
  double value[2];  ///< in both runs [N, N m, m]; law: 1 in the run that breaks it
  RefereeKind law;
} PartingCause;

typedef struct PartingReport {
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
  PartingCause cause[PARTING_KIND_COUNT];
} PartingReport;

typedef struct Parting Parting;

/// The models have the same bodies and joints, and must outlive it.
HeftStatus parting_create(Parting** out, const HeftModel* const model[2], double tolerance,
                          HeftError* error);
void parting_destroy(Parting* parting);
/// Two rows of the same time. 0: a row cannot be used, with error.
int parting_rows(Parting* parting, const RefereeRow* const row[2], HeftError* error);
/// A row that only one run has, for the referee. 0: as above.
int parting_row(Parting* parting, int run, const RefereeRow* row, HeftError* error);
const PartingReport* parting_report(Parting* parting);

#endif
