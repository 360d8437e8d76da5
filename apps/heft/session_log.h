// SPDX-License-Identifier: Apache-2.0
// Sessions as MCAP files: inputs of users, forces on them, and in "bits" all data of a replay.
#ifndef HEFT_APPS_SESSION_LOG_H
#define HEFT_APPS_SESSION_LOG_H

#include <heft/access.h>
#include <heft/heft.h>
#include <heft/plugin.h>

#include "loading.h"

typedef struct SessionLog SessionLog;

/// Where the world of a session comes from.
typedef struct SessionStartInfo {
  const char* model_path;  ///< file, or an act of the command
  const Loading* loading;  ///< how the file was loaded; NULL: by default
  double time_step;        ///< [s]
} SessionStartInfo;

/// Begins with the current state. plugins may be NULL. NULL if the file cannot be written
/// (reported).
SessionLog* session_log_open(const char* path, const SessionStartInfo* info, HeftWorld* world,
                             HeftSession* session, const HeftPluginSet* plugins);
/// After each step.
void session_log_step(SessionLog* log, const HeftStepReport* report);
/// After a change of the world, which goes on in this world and session.
void session_log_change(SessionLog* log, const HeftChange* change, HeftWorld* world,
                        HeftSession* session);
/// 0 if something could not be written; says so.
int session_log_close(SessionLog* log);

#endif
