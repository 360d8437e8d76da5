// SPDX-License-Identifier: Apache-2.0
// The referee over a log: a CSV file of any engine, or an MCAP file of Heft.
#ifndef HEFT_APPS_JUDGE_LOG_H
#define HEFT_APPS_JUDGE_LOG_H

#include "judge/referee.h"

typedef struct JudgeLog {
  const char *log, *contacts;  ///< contacts: CSV, may be NULL
  const HeftModel* model;      ///< NULL: the one in an MCAP file
  RefereeDef def;
  int json;
} JudgeLog;

/// Reads and judges a log, and prints the report. Returns the exit code.
int judge_log(const JudgeLog* options);
/// Name of a body, joint or actuator for a message; room is used if it has none.
const char* judge_name(const HeftModel* model, HeftNamed kind, int index, char* room, size_t size);

#endif
