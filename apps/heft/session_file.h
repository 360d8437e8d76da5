// SPDX-License-Identifier: Apache-2.0
// Sessions that the command records: <heft/session_log.h> with plug-ins and messages.
#ifndef HEFT_APPS_SESSION_FILE_H
#define HEFT_APPS_SESSION_FILE_H

#include <heft/plugin.h>
#include "record/session_log.h"

typedef struct SessionFile SessionFile;

/// Begins with the current state of the session. The path, or the name of an act of the command, is
/// for people: the model is stored. plugins may be NULL. NULL if the file cannot be written
/// (reported).
SessionFile* session_file_open(const char* path, const HeftSessionInfo* info,
                               const HeftPluginSet* plugins);
/// After each step.
void session_file_step(SessionFile* file, HeftSession* session, const HeftStepReport* report);
/// After an action of a user.
void session_file_action(SessionFile* file, const HeftAction* action);
/// After a change of the world.
void session_file_change(SessionFile* file, const HeftChange* change);
/// 0 if something could not be written; reports it. NULL is allowed.
int session_file_close(SessionFile* file);

#endif
