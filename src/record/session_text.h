// SPDX-License-Identifier: Apache-2.0
// Parts of the messages of a session as JSON, written and read: actions, and settings of a world.
#ifndef HEFT_SRC_SESSION_LOG_SESSION_TEXT_H
#define HEFT_SRC_SESSION_LOG_SESSION_TEXT_H

#include "record/session_log.h"

/// The message of an action after `step` steps.
void session_text_action(HeftJsonText* text, const HeftAction* action, long step);
/// Reads any text. Returns NULL, or what is wrong.
const char* session_text_read_action(HeftJsonSpan object, HeftAction* action, long* step);

/// A list of changes of parameters.
void session_text_parameters(HeftJsonText* text, const HeftChange* changes, int count);
/// Reads any text, at most HEFT_SESSION_PARAMETERS changes. Returns NULL, or what is wrong.
const char* session_text_read_parameters(HeftJsonSpan list, HeftChange* changes, int* count);

/// An object with the settings that are not the default ones; the time step is left out.
void session_text_world(HeftJsonText* text, const HeftWorldDef* def);
/// Reads any text; what it does not name stays. Returns NULL, or what is wrong.
const char* session_text_read_world(HeftJsonSpan object, HeftWorldDef* def);

#endif
